import { askQuestions } from "./ask.ts";
import { offerExercise } from "./offer-exercise.ts";
import { askForPrediction } from "./predict.ts";
import { showProgress } from "./progress.ts";

/** The script of the course: what is done, and the questions, the prediction and the exercise of a lesson. */

const progress = showProgress();
askQuestions();
askForPrediction(progress);
offerExercise();
