// The overlap of bodies as what it was measured with: a thin bar for each span of a column.

import { BoxGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshLambertMaterial } from 'three';
import type { Overlap } from '../data/found';
import type { Placement } from '../data/placement';

/** Bars are a little thinner than their columns, so that each can be seen. */
const SHARE = 0.72;

export class SpanView {
  readonly group = new Group();
  private readonly box = new BoxGeometry(1, 1, 1);
  private readonly material = new MeshLambertMaterial({ transparent: true, opacity: 0.82 });
  private bars: InstancedMesh | null = null;

  show(overlaps: Overlap[], placement: Placement): void {
    const count = overlaps.reduce((sum, overlap) => sum + overlap.spans.length / 6, 0);
    const bars = this.reserve(count);
    const matrix = new Matrix4();
    let bar = 0;
    for (const { spans, footprint } of overlaps) {
      for (let i = 0; i < spans.length; i += 6) {
        const entry = placement.placed(spans.subarray(i, i + 3));
        const exit = placement.placed(spans.subarray(i + 3, i + 6));
        const length = [0, 1, 2].map((axis) => Math.abs(exit[axis] - entry[axis]));
        const along = length.indexOf(Math.max(...length));
        const widths = footprint.map((width) => width * placement.scale * SHARE);
        const size = [0, 1, 2].map((axis) => (axis === along ? length[axis] : (widths.shift() ?? 0)));
        matrix.makeScale(size[0], size[1], size[2]);
        matrix.setPosition((entry[0] + exit[0]) / 2, (entry[1] + exit[1]) / 2, (entry[2] + exit[2]) / 2);
        bars.setMatrixAt(bar++, matrix);
      }
    }
    bars.count = count;
    bars.visible = count > 0;
    bars.instanceMatrix.needsUpdate = true;
  }

  setVisible(on: boolean): void {
    this.group.visible = on;
  }

  setColour(colour: string): void {
    this.material.color.set(colour);
  }

  private reserve(count: number): InstancedMesh {
    if (this.bars && this.bars.instanceMatrix.count >= count) return this.bars;
    if (this.bars) {
      this.group.remove(this.bars);
      this.bars.dispose();
    }
    this.bars = new InstancedMesh(this.box, this.material, Math.max(256, 2 * count));
    this.bars.instanceMatrix.setUsage(DynamicDrawUsage);
    this.bars.frustumCulled = false;
    this.group.add(this.bars);
    return this.bars;
  }
}
