package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.jid.JidEscaping;

/// The name of a room for people.
public final class RoomName {
  private RoomName() {}

  /// The configured name; if it is empty, the local part of the address, unescaped (XEP-0106).
  public static String of(Jid room, String configured) {
    return configured.isEmpty() ? JidEscaping.unescape(String.valueOf(room.local())) : configured;
  }
}
