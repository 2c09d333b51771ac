import { askForPrediction } from "./predict.ts";
import { showProgress } from "./progress.ts";

/** The script of the course: what is done, and the prediction of a lesson. */

const progress = showProgress();
askForPrediction(progress);
