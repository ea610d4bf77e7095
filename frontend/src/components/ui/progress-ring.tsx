/** The context usage as a small ring: fixed parts, summary, recent messages, and a tick at the threshold. */

import classes from "./progress-ring.module.css";

export interface RingArc {
  /** As a fraction of the whole. */
  share: number;
  layer: "fixed" | "summary" | "recent" | "progress";
}

interface Props {
  arcs: RingArc[];
  tick?: number | null;
  size?: number;
}

const BOX = 20;
const RADIUS = 8;
const ROUND = 2 * Math.PI * RADIUS;

export function Ring({ arcs, tick = null, size = BOX }: Props) {
  return (
    <svg className={classes.ring} width={size} height={size} viewBox={`0 0 ${BOX} ${BOX}`} aria-hidden="true">
      <circle className={classes.track} cx={BOX / 2} cy={BOX / 2} r={RADIUS} />
      {arcs.map(({ share, layer }, offset) => {
        const start = arcs.slice(0, offset).reduce((sum, arc) => sum + arc.share, 0);
        const length = Math.max(0, Math.min(share, 1 - start));
        return (
          <circle
            key={layer}
            className={classes[layer]}
            cx={BOX / 2}
            cy={BOX / 2}
            r={RADIUS}
            strokeDasharray={`${length * ROUND} ${ROUND}`}
            strokeDashoffset={-start * ROUND}
          />
        );
      })}
      {tick !== null && <Tick at={Math.min(tick, 1)} />}
    </svg>
  );
}

function Tick({ at }: { at: number }) {
  return (
    <line
      className={classes.tick}
      x1={BOX / 2 + RADIUS - 3}
      x2={BOX / 2 + RADIUS + 2}
      y1={BOX / 2}
      y2={BOX / 2}
      transform={`rotate(${at * 360} ${BOX / 2} ${BOX / 2})`}
    />
  );
}
