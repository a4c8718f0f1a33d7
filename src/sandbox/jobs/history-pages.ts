/** The filters of spec 4.1, read and checked. */
export interface JobFilter {
  modelId?: string;
  modelTypes?: readonly string[];
  statuses?: readonly string[];
  /** Unix seconds, both exclusive. */
  createdAfter?: number;
  createdBefore?: number;
}

/** What filters compare of a job of the history. Jobs that agree in it are of one class. */
interface JobClass {
  modelId: string;
  modelType: string;
  status: string;
}

interface PagesOptions {
  count: number;
  /** At most 256. */
  classes: readonly JobClass[];
  /** The place in `classes` of a job, by its place in the history. */
  classAt(index: number): number;
  /** Unix seconds; never later than that of the job before. */
  createdAtSeconds(index: number): number;
}

/** Places in the history, from `start` and before `end`. */
interface Range {
  start: number;
  end: number;
}

const BLOCK = 1024;

/**
 * Returns a function that gives the positions of the jobs that a filter lets through, newest first: one page of them, and how
 * many there are. Quick with a million jobs: dates are found by halving, and other filters by counts for each block of jobs,
 * which are made once, when they are first needed.
 */
export function createHistoryPages({ count, classes, classAt, createdAtSeconds }: PagesOptions) {
  let counted: ReturnType<typeof countClasses> | undefined;
  const firstPlace = (isPast: (index: number) => boolean) => {
    let [low, high] = [0, count];
    while (low < high) {
      const center = (low + high) >>> 1;
      if (isPast(center)) high = center;
      else low = center + 1;
    }
    return low;
  };
  const rangeOf = ({ createdAfter, createdBefore }: JobFilter): Range => ({
    start: createdBefore === undefined ? 0 : firstPlace((index) => createdAtSeconds(index) < createdBefore),
    end: createdAfter === undefined ? count : firstPlace((index) => createdAtSeconds(index) <= createdAfter),
  });
  return (filter: JobFilter, limit: number, offset: number): { positions: number[]; total: number } => {
    const range = rangeOf(filter);
    const isWantedClass = classes.map((one) => isMatch(one, filter));
    if (isWantedClass.every(Boolean)) {
      const total = Math.max(0, range.end - range.start);
      const positions = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, n) => n + offset);
      return { positions: positions.map((place) => place + range.start), total };
    }
    counted ??= countClasses(count, classes.length, classAt);
    return counted(range, isWantedClass, limit, offset);
  };
}

function isMatch({ modelId, modelType, status }: JobClass, filter: JobFilter): boolean {
  if (filter.modelId !== undefined && filter.modelId !== modelId) return false;
  if (filter.modelTypes !== undefined && !filter.modelTypes.includes(modelType)) return false;
  return filter.statuses === undefined || filter.statuses.includes(status);
}

/** Counts the jobs of each class by block, and returns the look-up of a page. */
function countClasses(count: number, classCount: number, classAt: (index: number) => number) {
  const classOf = new Uint8Array(count);
  const blocks = Math.ceil(count / BLOCK);
  // How many jobs of each class stand before each block, one row of counts per block.
  const countsBefore = new Uint32Array((blocks + 1) * classCount);
  for (let block = 0; block < blocks; block += 1) {
    const row = (block + 1) * classCount;
    countsBefore.copyWithin(row, row - classCount, row);
    for (let index = block * BLOCK; index < Math.min(count, (block + 1) * BLOCK); index += 1) {
      const found = classAt(index);
      classOf[index] = found;
      countsBefore[row + found] = (countsBefore[row + found] ?? 0) + 1;
    }
  }
  return (range: Range, isWantedClass: readonly boolean[], limit: number, offset: number) => {
    const matchesAt = (index: number) => isWantedClass[classOf[index] ?? 0] === true;
    const beforeBlock = (block: number) =>
      isWantedClass.reduce(
        (sum, isWanted, place) => sum + (isWanted ? (countsBefore[block * classCount + place] ?? 0) : 0),
        0,
      );
    const beforePlace = (index: number) => {
      let found = beforeBlock(Math.floor(index / BLOCK));
      for (let at = Math.floor(index / BLOCK) * BLOCK; at < index; at += 1) if (matchesAt(at)) found += 1;
      return found;
    };
    const skipped = beforePlace(range.start) + offset;
    const total = Math.max(0, beforePlace(range.end) - beforePlace(range.start));
    // The block in which the page begins.
    let [low, high] = [0, blocks];
    while (low < high) {
      const center = (low + high) >>> 1;
      if (beforeBlock(center + 1) > skipped) high = center;
      else low = center + 1;
    }
    const positions: number[] = [];
    let passed = beforeBlock(low);
    for (let index = low * BLOCK; index < range.end && positions.length < limit; index += 1) {
      if (!matchesAt(index)) continue;
      if (passed >= skipped && index >= range.start) positions.push(index);
      passed += 1;
    }
    return { positions, total };
  };
}
