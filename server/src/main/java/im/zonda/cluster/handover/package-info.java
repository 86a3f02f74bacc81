/// The segments of a node, and the hand-over of their homes: the former home unloads them, the
/// standby has replicas, and the next home opens when every member no longer acts for the segment
/// and the database fences processes outside the placement.
@NullMarked
package im.zonda.cluster.handover;

import org.jspecify.annotations.NullMarked;
