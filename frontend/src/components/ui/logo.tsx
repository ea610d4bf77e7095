/** The logo: four lines that merge into one, also the symbol of compaction. */

interface Props {
  /** Large and in color on the start page, small and monochrome elsewhere. */
  large?: boolean;
  size?: number;
}

export function Logo({ large = false, size = 20 }: Props) {
  return large ? (
    <Lines width={116} height={64} lines={LARGE} bar={13} fill="var(--c-summary)" />
  ) : (
    <Lines width={20} height={20} shown={size} lines={SMALL} bar={4} fill="var(--ink)" />
  );
}

type Line = readonly [y: number, width: number, opacity: number];

const SMALL: readonly Line[] = [
  [2.5, 1, 0.5],
  [6, 1.25, 0.7],
  [9.5, 1.5, 0.85],
  [12.75, 2, 1],
];
const LARGE: readonly Line[] = [
  [1, 1, 0.4],
  [16.5, 1.5, 0.55],
  [30, 2, 0.7],
  [42, 3, 0.85],
];

interface LinesProps {
  width: number;
  height: number;
  shown?: number;
  lines: readonly Line[];
  bar: number;
  fill: string;
}

function Lines({ width, height, shown = width, lines, bar, fill }: LinesProps) {
  const high = (shown * height) / width;
  return (
    <svg width={shown} height={high} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      {lines.map(([y, thick, opacity]) => (
        <path key={y} d={`M1 ${y}H${width - 1}`} stroke="var(--ink)" strokeWidth={thick} opacity={opacity} />
      ))}
      <rect x="1" y={height - bar - 1} width={width - 2} height={bar} rx={bar / 4} fill={fill} />
    </svg>
  );
}
