package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A user in a room under a nickname, with one or more sessions (XEP-0045, section 7.2.9). Changed
/// by its [Room] only.
public final class Occupant {
  private final Jid user;
  private final OccupantIds.Id id;
  private List<OccupantSession> sessions = List.of();
  private Jid address;
  private Affiliation affiliation;
  private Role role;
  private @Nullable Element hats;
  private boolean announced;

  /// @param user the bare real JID
  /// @param address the room's address with the nickname
  /// @param id identifies the user in this room whatever the nickname is (XEP-0421)
  public Occupant(Jid user, Jid address, OccupantIds.Id id, Affiliation affiliation, Role role) {
    this.user = user;
    this.address = address;
    this.id = id;
    this.affiliation = affiliation;
    this.role = role;
  }

  /// The bare real JID.
  public Jid user() {
    return user;
  }

  /// The occupant JID: the room's address with the nickname.
  public Jid address() {
    return address;
  }

  public String nick() {
    String nick = address.resource();
    if (nick == null) {
      throw new IllegalStateException("an occupant has a nickname");
    }
    return nick;
  }

  /// Identifies the user in this room (XEP-0421).
  public OccupantIds.Id id() {
    return id;
  }

  public Affiliation affiliation() {
    return affiliation;
  }

  public Role role() {
    return role;
  }

  /// The sessions, in the order of their latest presence. An immutable list.
  public List<OccupantSession> sessions() {
    return sessions;
  }

  /// The session whose presence the room shows: the one that changed its presence last.
  public OccupantSession mainSession() {
    return sessions.getLast();
  }

  /// Finds a session by its full address, or null.
  public @Nullable OccupantSession session(Jid jid) {
    for (int i = 0; i < sessions.size(); i++) {
      if (sessions.get(i).jid().equals(jid)) {
        return sessions.get(i);
      }
    }
    return null;
  }

  void setAddress(Jid newAddress) {
    address = newAddress;
  }

  void setAffiliation(Affiliation newAffiliation) {
    affiliation = newAffiliation;
  }

  void setRole(Role newRole) {
    role = newRole;
  }

  /// The `<hats/>` payload of the occupant's presence (XEP-0317), or null.
  public @Nullable Element hats() {
    return hats;
  }

  void setHats(@Nullable Element newHats) {
    hats = newHats;
  }

  /// Whether the occupant's presence was sent to all occupants; then its exit is sent to all, too.
  public boolean isAnnounced() {
    return announced;
  }

  public void setAnnounced(boolean everyoneKnows) {
    announced = everyoneKnows;
  }

  /// Adds a session and makes it the main session.
  void add(OccupantSession session) {
    List<OccupantSession> more = new ArrayList<>(sessions);
    more.add(session);
    sessions = List.copyOf(more);
  }

  void remove(OccupantSession session) {
    List<OccupantSession> fewer = new ArrayList<>(sessions);
    fewer.remove(session);
    sessions = List.copyOf(fewer);
  }

  /// Makes a session the main session.
  public void makeMain(OccupantSession session) {
    if (sessions.size() > 1) {
      remove(session);
      add(session);
    }
  }

  @Override
  public String toString() {
    return address + " " + affiliation + " " + role;
  }
}
