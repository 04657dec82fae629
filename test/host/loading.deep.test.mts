import { medianOf } from '../bench/statistics.mts';
import { hostUnderTest } from './harness/host.mts';
import { LOADING_MOST, loadingRatios } from './harness/loading.mts';

test("loads in about the time of n8n's own nodes of three services", async () => {
	expect(medianOf(await loadingRatios(hostUnderTest()))).toBeLessThanOrEqual(LOADING_MOST);
}, 120_000);
