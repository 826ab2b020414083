// Numbers as people read them.

export function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

export function counted(number: number, thing: string): string {
  return `${grouped(number)} ${thing}${number === 1 ? '' : 's'}`;
}

/** Microseconds in a unit that leaves few digits. */
export function duration(us: number): string {
  if (us < 1000) return `${Math.round(us)} µs`;
  if (us < 1e6) return `${(us / 1000).toFixed(us < 1e4 ? 2 : 1)} ms`;
  return `${(us / 1e6).toFixed(2)} s`;
}

/** A length, area or volume with four digits. */
export function measure(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}

/** A length; of files in metres in millimetres. */
export function length(value: number, unit?: string): string {
  return unit === 'm' ? `${measure(1000 * value)} mm` : measure(value);
}

/** An area, likewise. */
export function area(value: number, unit?: string): string {
  return unit === 'm' ? `${measure(1e6 * value)} mm²` : measure(value);
}

/** The middle value, the upper one of two. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
