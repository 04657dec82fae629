import { checkModel } from './model.mts';
import { runs } from '../../support/runs.mts';

checkModel(runs(10_000));
