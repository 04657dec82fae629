import { checkModel } from './model.mts';

checkModel(Number(process.env.PROPERTY_RUNS ?? 300));
