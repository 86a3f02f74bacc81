package im.zonda.store;

import im.zonda.jid.Jid;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rooms (XEP-0045) of all room services. A room owns messages in the log like an account does,
/// and values in a [KeyValueStore]. Calls block.
public interface RoomStore {
  /// A room without its affiliations.
  ///
  /// @param jid its bare address
  /// @param creator the bare address of the user who created it, or null if unknown
  /// @param created when it was created, to the microsecond
  /// @param persistent whether it stays when it is empty: it is persistent, and used
  /// @param listed whether it is public
  /// @param name its name; may be empty
  /// @param settings all other settings as text, in the room service's own form
  record Room(
      Jid jid,
      @Nullable Jid creator,
      Instant created,
      boolean persistent,
      boolean listed,
      String name,
      String settings) {}

  /// What a room stores about a user.
  ///
  /// @param user the bare address, or a domain for all its users
  /// @param affiliation the word for it, such as `member`; `none` removes the entry
  /// @param nick the reserved nickname, or null
  /// @param reason the reason given, or null
  record Affiliation(
      Jid user, String affiliation, @Nullable String nick, @Nullable String reason) {}

  /// A room as it is stored.
  record Stored(Room room, List<Affiliation> affiliations) {
    /// Copies the list.
    public Stored {
      affiliations = List.copyOf(affiliations);
    }
  }

  /// A room that was removed and can be restored.
  ///
  /// @param number tells it from all others, also from those that had its address
  /// @param room the room before its removal
  /// @param removed when it was removed, to the microsecond
  record Removed(long number, Room room, Instant removed) {}

  /// What became of a restoration.
  enum Restoration {
    /// The room is there again.
    DONE,
    /// There is another room, or an account, at the address.
    ADDRESS_TAKEN,
    /// There is no such removed room.
    UNKNOWN
  }

  /// The room with that address and its affiliations in the order of the users, or null.
  @Nullable Stored find(Jid room);

  /// Stores the room and the changed affiliations in one transaction; durable when the call
  /// returns. Creates the room if it does not exist. Of several changes for one user the last one
  /// wins.
  ///
  /// @throws IllegalArgumentException if the address has no local part, or a resource
  /// @throws IllegalStateException if an account has that address
  void save(Room room, Collection<Affiliation> changed);

  /// Removes the room with all its data and messages; durable when the call returns. A new room at
  /// that address sees none of it. False if there is none.
  boolean remove(Jid room);

  /// Removes the room as [#remove] does, but keeps it with all its data and messages, so that it
  /// can be restored. If there are too many removed rooms of its creator at the service, the oldest
  /// are erased.
  ///
  /// @param now when it is removed
  /// @param most the maximum number for one creator, at least 1
  boolean removeRestorably(Jid room, Instant now, int most);

  /// Removed rooms of a service, the latest first.
  ///
  /// @param local the local part that they had, or null for all
  /// @param limit the maximum number of rooms
  List<Removed> removed(String domain, @Nullable String local, int limit);

  /// Restores a removed room with all its data and messages; durable when the call returns.
  ///
  /// @param room its address
  /// @param number see [Removed]
  Restoration restore(Jid room, long number);

  /// Erases removed rooms of a service with all their data and messages, the oldest first.
  ///
  /// @param before only those that were removed before that time
  /// @param limit the maximum number of rooms
  /// @return how many were erased; fewer than `limit` only if there are no more
  int eraseRemoved(String domain, Instant before, int limit);

  /// Public rooms of a service, in the order of their addresses' local parts.
  ///
  /// @param domain the service
  /// @param after the local part after which to start, or null to start with the first
  /// @param text a part of the name or the local part, case ignored, or null for all; no query
  ///   syntax
  /// @param limit the maximum number of rooms
  List<Room> listed(String domain, @Nullable String after, @Nullable String text, int limit);

  /// Addresses of a service's rooms that are not persistent, at most `limit`, in order, after that
  /// local part.
  List<Jid> temporary(String domain, @Nullable String after, int limit);

  /// Addresses of all of a service's rooms, at most `limit`, in order, after that local part.
  List<Jid> list(String domain, @Nullable String after, int limit);

  /// All of a service's rooms, at most `limit`, in the order of their addresses' local parts, after
  /// that one; null to start with the first.
  List<Room> page(String domain, @Nullable String after, int limit);

  /// Place of a room in the order of [#latest].
  ///
  /// @param created when the room was created
  /// @param local the local part of its address
  record Place(Instant created, String local) {}

  /// A service's rooms, at most `limit`, the latest created first; those of one time in the reverse
  /// order of their addresses' local parts.
  ///
  /// @param after the place after which to start; null to start with the first
  List<Room> latest(String domain, @Nullable Place after, int limit);

  /// Those of a service's rooms that have these local parts, in no order.
  List<Room> select(String domain, Collection<String> locals);

  /// The number of a service's rooms that the user with that bare address has created.
  int created(String domain, Jid user);

  /// Rooms of all services, at most `limit`, that have an affiliation other than `outcast` of the
  /// user with that bare address.
  List<Jid> affiliatedRooms(Jid user, int limit);
}
