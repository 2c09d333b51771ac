import { askQuestions } from "./ask.ts";
import { offerExercise } from "./offer-exercise.ts";
import { showPassed } from "./passed.ts";
import { askForPrediction } from "./predict.ts";
import { showProgress } from "./progress.ts";

/** The script of the course: what is done, and the questions, the prediction and the exercise of a lesson; which challenges are passed. */

const progress = showProgress();
askQuestions();
askForPrediction(progress);
offerExercise();
showPassed();
