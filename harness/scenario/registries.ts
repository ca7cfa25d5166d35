// The real registries: everything that a scenario may name.
import { steps } from '../clients/registry.ts';
import { expectations } from '../expectations/registry.ts';
import { faults } from '../faults/registry.ts';
import { behaviours } from '../../upstreams/behaviours/registry.ts';
import type { Registries } from './schema.ts';

export const registries = { behaviours, steps, faults, expectations } satisfies Registries;
