// Arrays for the graphics card whose length changes from frame to frame.

import { BufferAttribute, type BufferGeometry, DynamicDrawUsage, InstancedBufferAttribute } from 'three';

/** An attribute of three numbers, or as many as said, that grows when needed and is otherwise reused. */
export class Growing {
  array = new Float32Array(0);

  constructor(
    private readonly geometry: BufferGeometry,
    private readonly name: string,
    private readonly kind: 'vertex' | 'instance',
    private readonly size = 3,
  ) {
    this.reserve(64);
  }

  /** Room for `count` times as many numbers; what was in the array may be lost. */
  reserve(count: number): Float32Array {
    const { size } = this;
    if (size * count > this.array.length) {
      this.array = new Float32Array(size * Math.max(count, (this.array.length / size) * 2));
      const attribute =
        this.kind === 'vertex' ? new BufferAttribute(this.array, size) : new InstancedBufferAttribute(this.array, size);
      // The old buffer would stay on the card until the geometry is given up.
      this.geometry.dispose();
      this.geometry.setAttribute(this.name, attribute.setUsage(DynamicDrawUsage));
    }
    this.geometry.getAttribute(this.name).needsUpdate = true;
    return this.array;
  }
}
