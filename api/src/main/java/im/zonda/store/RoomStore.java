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
  /// @param creator the bare address of the user who created it, or null if that is not known
  /// @param created when it was made; kept to the microsecond
  /// @param persistent whether it stays when nobody is in it
  /// @param listed whether everyone may find it
  /// @param name what people call it; may be empty
  /// @param settings all else as text, in a form that only the room knows
  record Room(
      Jid jid,
      @Nullable Jid creator,
      Instant created,
      boolean persistent,
      boolean listed,
      String name,
      String settings) {}

  /// What a room keeps about one user.
  ///
  /// @param user the bare address, or a domain for all its users
  /// @param affiliation the word for it, such as `member`; `none` removes the entry
  /// @param nick the reserved nickname, or null
  /// @param reason why, in words of who gave it, or null
  record Affiliation(
      Jid user, String affiliation, @Nullable String nick, @Nullable String reason) {}

  /// A room as it is stored.
  record Stored(Room room, List<Affiliation> affiliations) {
    /// Copies the list.
    public Stored {
      affiliations = List.copyOf(affiliations);
    }
  }

  /// The room with that address and its affiliations in the order of the users, or null.
  @Nullable Stored find(Jid room);

  /// Stores the room and changes these of its affiliations, all or nothing; durable when the call
  /// returns. A room that does not exist is made. Of several changes for one user the last counts.
  ///
  /// @throws IllegalArgumentException if the address has no local part, or a resource
  /// @throws IllegalStateException if an account has that address
  void save(Room room, Collection<Affiliation> changed);

  /// Removes the room with all that it owns, its messages included; durable when the call returns.
  /// A room that is made again under that address sees nothing of it. False if there is none.
  boolean remove(Jid room);

  /// Rooms of a service that everyone may find, in the order of their addresses' local parts.
  ///
  /// @param domain the service
  /// @param after the local part behind which to begin, or null for the first
  /// @param text a part of the name or the local part, case ignored, or null for all; it is data
  ///   and has no syntax
  /// @param limit the most rooms
  List<Room> listed(String domain, @Nullable String after, @Nullable String text, int limit);

  /// Addresses of a service's rooms that are not persistent, at most `limit`, in order, after that
  /// local part.
  List<Jid> temporary(String domain, @Nullable String after, int limit);

  /// Addresses of all of a service's rooms, at most `limit`, in order, after that local part.
  List<Jid> list(String domain, @Nullable String after, int limit);

  /// The number of a service's rooms that the user with that bare address has created.
  int created(String domain, Jid user);
}
