import { offerExercise } from "./offer-exercise.ts";
import { askForPrediction } from "./predict.ts";
import { showProgress } from "./progress.ts";

/** The script of the course: what is done, and the prediction and the exercise of a lesson. */

const progress = showProgress();
askForPrediction(progress);
offerExercise();
