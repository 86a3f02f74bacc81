package im.zonda.cluster.infinispan;

import im.zonda.cluster.Member;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jgroups.Address;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;

/// The member in the address of a channel: it travels in each view, so that a process and its
/// member are known together.
final class MemberAddress {
  /// Infinispan uses `v`, `s`, `r` and `m`.
  private static final byte[] KEY = {'z'};

  private MemberAddress() {}

  /// A new address of a member.
  static ExtendedUUID create(Member member) {
    byte[] name = member.name().getBytes(StandardCharsets.UTF_8);
    ByteBuffer value = ByteBuffer.allocate(Long.BYTES + name.length);
    value.putLong(member.incarnation()).put(name);
    return ExtendedUUID.randomUUID(member.toString()).put(KEY, value.array());
  }

  /// The member of an address; null for a process that is no node of Zonda.
  static @Nullable Member memberOf(Address address) {
    byte[] value = address instanceof ExtendedUUID extended ? extended.get(KEY) : null;
    if (value == null || value.length <= Long.BYTES) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    long incarnation = in.getLong();
    return new Member(StandardCharsets.UTF_8.decode(in).toString(), incarnation);
  }
}
