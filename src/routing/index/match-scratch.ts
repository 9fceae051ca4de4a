/** Holds the working memory of a match. One object serves many requests, so matching allocates nothing for it. */
import { SegmentBounds } from '../match/segment-bounds.ts';
import { Candidates } from './candidates.ts';

export class MatchScratch {
  /** True while a match uses the object; it stays true after a match that threw. */
  inUse = false;
  readonly bounds = new SegmentBounds();
  readonly candidates = new Candidates();
}
