// One image, as the engine knows it.
import type { Engine } from './docker.ts';
import { statusOf } from './docker-engine-errors.ts';

type Inspected = Awaited<ReturnType<ReturnType<Engine['getImage']>['inspect']>>;

/** @returns null: the engine has none of that name, also where no image can have it (400) */
export const imageOf = async (engine: Engine, name: string): Promise<Inspected | null> => {
  try {
    return await engine.getImage(name).inspect();
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 400) return null;
    throw error;
  }
};
