import { type Death, WorldError } from "../../findings/property-failure.ts";

/** Where earlier threads died in the task of this thread: its world is ended there. */
export class EndedThreads {
  private ofTask: readonly Death[] = [];
  private inWorld: Death | undefined;

  /** Begins a task. @param deaths what earlier threads died of in it */
  startTask(deaths: readonly Death[]): void {
    this.ofTask = deaths;
  }

  /** Begins a world. @param world the number of its name */
  startWorld(world: number): void {
    const deaths = this.ofTask.filter((each) => each.world === world);
    this.inWorld = deaths.sort((a, b) => a.progress - b.progress)[0];
  }

  /** What an earlier thread died of, if it died here. @param happened how much has happened in the world */
  at(happened: number): WorldError | undefined {
    if (this.inWorld === undefined || happened < this.inWorld.progress) return undefined;
    const { property, message } = this.inWorld.failure;
    return new WorldError(property, message);
  }
}
