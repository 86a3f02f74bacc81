package im.zonda.cluster.home;

import java.util.List;

/// What homes must know about an owner.
public interface Directory {
  /// Whether it is a room.
  boolean isRoom(String owner);

  /// The bare JIDs of a room's occupants.
  List<String> occupants(String room);

  /// Whether stanzas for it are SAFE only when the database has them, too (level `sql`).
  boolean isLogged(String owner);
}
