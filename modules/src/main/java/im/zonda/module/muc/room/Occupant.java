package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Someone in a room under a nickname, with one or more sessions of one account (XEP-0045, section
/// 7.2.9). Changed by its [Room] only.
public final class Occupant {
  private final Jid user;
  private final OccupantIds.Id id;
  private List<Seat> seats = List.of();
  private Jid address;
  private Affiliation affiliation;
  private Role role;
  private @Nullable Element hats;
  private boolean announced;

  /// @param user the bare address
  /// @param address the room's address with the nickname
  /// @param id what stands for the user in this room, whatever the nickname (XEP-0421)
  public Occupant(Jid user, Jid address, OccupantIds.Id id, Affiliation affiliation, Role role) {
    this.user = user;
    this.address = address;
    this.id = id;
    this.affiliation = affiliation;
    this.role = role;
  }

  /// The true bare address.
  public Jid user() {
    return user;
  }

  /// The room's address with the nickname.
  public Jid address() {
    return address;
  }

  /// The nickname.
  public String nick() {
    String nick = address.resource();
    if (nick == null) {
      throw new IllegalStateException("an occupant has a nickname");
    }
    return nick;
  }

  /// What stands for the user in this room (XEP-0421).
  public OccupantIds.Id id() {
    return id;
  }

  public Affiliation affiliation() {
    return affiliation;
  }

  public Role role() {
    return role;
  }

  /// The sessions, the one that is shown last. The list does not change.
  public List<Seat> seats() {
    return seats;
  }

  /// The session whose presence is shown: the one that said something last.
  public Seat main() {
    return seats.getLast();
  }

  /// The seat of that session, or null.
  public @Nullable Seat seat(Jid session) {
    for (int i = 0; i < seats.size(); i++) {
      if (seats.get(i).session().equals(session)) {
        return seats.get(i);
      }
    }
    return null;
  }

  void address(Jid newAddress) {
    address = newAddress;
  }

  void affiliation(Affiliation newAffiliation) {
    affiliation = newAffiliation;
  }

  void role(Role newRole) {
    role = newRole;
  }

  /// The hats it wears, as its presence tells of them (XEP-0317), or null.
  public @Nullable Element hats() {
    return hats;
  }

  void hats(@Nullable Element newHats) {
    hats = newHats;
  }

  /// Whether everyone in the room has been told of it: then everyone is told when it goes.
  public boolean isAnnounced() {
    return announced;
  }

  public void announced(boolean everyoneKnows) {
    announced = everyoneKnows;
  }

  /// One session more, the one that is shown.
  void add(Seat seat) {
    List<Seat> more = new ArrayList<>(seats);
    more.add(seat);
    seats = List.copyOf(more);
  }

  /// One session less.
  void remove(Seat seat) {
    List<Seat> fewer = new ArrayList<>(seats);
    fewer.remove(seat);
    seats = List.copyOf(fewer);
  }

  /// The seat is the one that is shown from now on.
  public void mainIs(Seat seat) {
    if (seats.size() > 1) {
      remove(seat);
      add(seat);
    }
  }

  @Override
  public String toString() {
    return address + " " + affiliation + " " + role;
  }
}
