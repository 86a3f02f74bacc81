package im.zonda.cluster.frame;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Stamp;
import java.util.List;

/// A frame on the link between two nodes.
public sealed interface Frame {
  /// The version of frames and of what is in them; all members of a cluster have the same. Frames
  /// of version 1 have the same form, but envelopes in them are for one session each.
  int VERSION = 2;

  /// The version of the binary form of this frame.
  int version();

  /// The placement in which it was sent. It is handled in the same placement only.
  Stamp stamp();

  /// The process that sent it.
  Member from();

  /// The number of values that the sender has received in this placement without a gap.
  long received();

  /// Whether sending may be delayed and batched for some milliseconds.
  default boolean mayWait() {
    return !(this instanceof Data data) || data.value().mayWait();
  }

  /// A value.
  ///
  /// @param number its number on this link in this placement, from 1 on
  record Data(int version, Stamp stamp, Member from, long received, long number, NodeValue value)
      implements Frame {}

  /// A value that this node cannot read: a defect, or a kind of a later version. It counts, because
  /// the values behind it would wait for it for ever.
  ///
  /// @param number see [Data]
  /// @param fields what follows the tag
  record Unread(
      int version,
      Stamp stamp,
      Member from,
      long received,
      long number,
      int tag,
      StanzaBytes fields)
      implements Frame {
    /// The entry that its sender keeps until [NodeValue.Stored], as far as that can be read: none
    /// or one.
    public List<Long> entries() {
      return NodeValueCodec.entries(tag, fields);
    }
  }

  /// Counts alone.
  ///
  /// @param sent the number of the last value that was sent
  /// @param again whether all values above `received` are to be sent again
  record Status(int version, Stamp stamp, Member from, long received, long sent, boolean again)
      implements Frame {}
}
