package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Who is in a room, who is what to it, and what it is like (XEP-0045, section 5). A state machine
/// and nothing else: it knows neither stanzas that come nor stanzas that go, nor who asked.
///
/// What always holds: it has an owner; nobody is in it whom its configuration and the affiliations
/// keep out; a nickname has one occupant; a session is in it once.
public final class Room {
  /// What is being talked about.
  ///
  /// @param message the message that set it, from the occupant's address
  /// @param time when
  public record Subject(Message message, Instant time) {}

  /// A change of a user's affiliation.
  ///
  /// @param nick the nickname to reserve, or null for none
  /// @param reason in words of who changes it, or null
  public record AffiliationChange(
      Jid user, Affiliation affiliation, @Nullable String nick, @Nullable String reason) {}

  /// An occupant to whom something has happened.
  ///
  /// @param present whether it is still in the room
  public record Affected(Occupant occupant, boolean present) {}

  private final Jid jid;
  private final Instant created;
  private final Affiliations affiliations;
  private final Predicate<Jid> isAdmin;
  private final Map<String, Occupant> byNick = new LinkedHashMap<>();
  private final Map<Jid, Occupant> bySession = new HashMap<>();
  private RoomConfig config;
  private Hats hats = new Hats();
  private @Nullable Subject subject;
  private boolean locked;

  /// A room without occupants.
  ///
  /// @param isAdmin who owns every room
  /// @param locked whether it waits for its first configuration, so that only owners may enter
  public Room(
      Jid jid,
      Instant created,
      RoomConfig config,
      Affiliations affiliations,
      Predicate<Jid> isAdmin,
      boolean locked) {
    this.jid = jid;
    this.created = created;
    this.config = config;
    this.affiliations = affiliations;
    this.isAdmin = isAdmin;
    this.locked = locked;
  }

  // ---- what it is like

  public Jid jid() {
    return jid;
  }

  public Instant created() {
    return created;
  }

  public RoomConfig config() {
    return config;
  }

  public Affiliations affiliations() {
    return affiliations;
  }

  /// What that bare address is to the room.
  public Affiliation affiliationOf(Jid user) {
    return isAdmin.test(user) ? Affiliation.OWNER : affiliations.of(user);
  }

  public @Nullable Subject subject() {
    return subject;
  }

  public void subject(@Nullable Subject newSubject) {
    subject = newSubject;
  }

  /// The hats that people wear here.
  public Hats hats() {
    return hats;
  }

  /// Takes other hats; whoever is there wears them from now on.
  public void hats(Hats newHats) {
    hats = newHats;
    byNick.values().forEach(occupant -> occupant.hats(newHats.of(occupant.user())));
  }

  public boolean isLocked() {
    return locked;
  }

  public void unlock() {
    locked = false;
  }

  // ---- who is there

  /// The occupants in the order in which they came.
  public Collection<Occupant> occupants() {
    return byNick.values();
  }

  /// The number of sessions in it.
  public int size() {
    return bySession.size();
  }

  /// Who that session is, or null.
  public @Nullable Occupant occupant(Jid session) {
    return bySession.get(session);
  }

  /// Who has that nickname, or null.
  public @Nullable Occupant named(String nick) {
    return byNick.get(Nickname.key(nick));
  }

  /// The occupants of that account, or of that domain if it is one.
  public List<Occupant> occupantsOf(Jid user) {
    List<Occupant> found = new ArrayList<>(1);
    for (Occupant occupant : byNick.values()) {
      Jid its = occupant.user();
      if (its.equals(user) || (user.isDomain() && its.domain().equals(user.domain()))) {
        found.add(occupant);
      }
    }
    return found;
  }

  /// Whether `viewer` sees true addresses (section 4.2).
  public boolean showsAddressesTo(Occupant viewer) {
    return config.nonAnonymous() || viewer.role() == Role.MODERATOR;
  }

  // ---- coming and going

  /// Why the session may not enter under that nickname, or null if it may (section 7.2).
  public @Nullable ErrorCondition refusal(Jid session, String nick, @Nullable String password) {
    Affiliation affiliation = affiliationOf(session.bare());
    if (affiliation == Affiliation.OUTCAST) {
      return ErrorCondition.FORBIDDEN;
    }
    if (locked && affiliation != Affiliation.OWNER) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    if (config.membersOnly() && !affiliation.isAtLeast(Affiliation.MEMBER)) {
      return ErrorCondition.REGISTRATION_REQUIRED;
    }
    if (config.password() != null && !config.password().equals(password)) {
      return ErrorCondition.NOT_AUTHORIZED;
    }
    if (!nickIsFree(session, nick)) {
      return ErrorCondition.CONFLICT;
    }
    boolean full = size() >= config.occupants() && !bySession.containsKey(session);
    return full && !affiliation.isAtLeast(Affiliation.ADMIN)
        ? ErrorCondition.SERVICE_UNAVAILABLE
        : null;
  }

  /// Whether the session may be called that: nobody else is, and nobody else has reserved it.
  public boolean nickIsFree(Jid session, String nick) {
    Jid user = session.bare();
    Occupant present = named(nick);
    Jid holder = affiliations.holderOf(nick);
    return (present == null || present.user().equals(user))
        && (holder == null || holder.equals(user));
  }

  /// Takes a session in that [#refusal] lets in and that is not there yet.
  ///
  /// @param address the room's address with the nickname
  /// @param id what stands for the user (XEP-0421)
  public Occupant enter(Jid session, Jid address, OccupantIds.Id id) {
    String nick = address.resource();
    if (nick == null || bySession.containsKey(session)) {
      throw new IllegalStateException("cannot enter: " + address);
    }
    Occupant occupant = named(nick);
    if (occupant == null) {
      Affiliation affiliation = affiliationOf(session.bare());
      occupant = new Occupant(session.bare(), address, id, affiliation, config.roleOf(affiliation));
      occupant.hats(hats.of(session.bare()));
      byNick.put(Nickname.key(nick), occupant);
    }
    occupant.add(new Seat(session));
    bySession.put(session, occupant);
    return occupant;
  }

  /// Takes a session out; the occupant it was, who may have others left, or null.
  public @Nullable Occupant leave(Jid session) {
    Occupant occupant = bySession.remove(session);
    if (occupant != null) {
      Seat seat = occupant.seat(session);
      if (seat != null) {
        occupant.remove(seat);
        seat.left();
      }
      if (occupant.seats().isEmpty()) {
        byNick.remove(Nickname.key(occupant.nick()));
        occupant.role(Role.NONE);
      }
    }
    return occupant;
  }

  /// Takes an occupant out with all its sessions; they stay its seats.
  public void remove(Occupant occupant) {
    byNick.remove(Nickname.key(occupant.nick()), occupant);
    for (Seat seat : occupant.seats()) {
      bySession.remove(seat.session());
      seat.left();
    }
    occupant.role(Role.NONE);
  }

  /// Takes everyone out for good: nobody is anything to a room that is no more.
  public List<Occupant> end() {
    List<Occupant> all = List.copyOf(byNick.values());
    for (Occupant occupant : all) {
      remove(occupant);
      occupant.affiliation(Affiliation.NONE);
    }
    return all;
  }

  /// Gives an occupant another nickname, one that [#nickIsFree] for it and that no other occupant
  /// of the same account has.
  public void rename(Occupant occupant, Jid address) {
    String nick = address.resource();
    Occupant other = nick == null ? null : named(nick);
    if (nick == null || (other != null && !other.equals(occupant))) {
      throw new IllegalStateException("cannot be renamed: " + address);
    }
    byNick.remove(Nickname.key(occupant.nick()));
    occupant.address(address);
    byNick.put(Nickname.key(nick), occupant);
  }

  // ---- what people are

  /// Whether someone would still own the room.
  public boolean leavesAnOwner(List<AffiliationChange> changes) {
    int owners = affiliations.owners();
    Map<Jid, Affiliation> now = new HashMap<>();
    for (AffiliationChange change : changes) {
      Affiliations.Entry entry = affiliations.entry(change.user());
      Affiliation before =
          now.getOrDefault(change.user(), entry == null ? Affiliation.NONE : entry.affiliation());
      owners += change.affiliation() == Affiliation.OWNER ? 1 : 0;
      owners -= before == Affiliation.OWNER ? 1 : 0;
      now.put(change.user(), change.affiliation());
    }
    return owners > 0;
  }

  /// Changes affiliations, all at once; whoever may not stay is out (sections 9 and 10).
  ///
  /// @throws IllegalStateException if nobody would own the room
  public List<Affected> apply(List<AffiliationChange> changes) {
    if (!leavesAnOwner(changes)) {
      throw new IllegalStateException("a room has an owner");
    }
    List<Affected> affected = new ArrayList<>();
    for (AffiliationChange change : changes) {
      affiliations.set(change.user(), change.affiliation(), change.nick(), change.reason());
    }
    for (AffiliationChange change : changes) {
      for (Occupant occupant : occupantsOf(change.user())) {
        Affiliation before = occupant.affiliation();
        Affiliation after = affiliationOf(occupant.user());
        if (before != after) {
          occupant.affiliation(after);
          affected.add(new Affected(occupant, stays(occupant, before)));
        }
      }
    }
    return affected;
  }

  /// Gives the occupant the role that goes with its new affiliation, or takes it out.
  private boolean stays(Occupant occupant, Affiliation before) {
    Affiliation after = occupant.affiliation();
    if (isKeptOut(after)) {
      remove(occupant);
      return false;
    }
    boolean wasStaff = before.isAtLeast(Affiliation.ADMIN);
    Role usual = config.roleOf(after);
    if (wasStaff || after.isAtLeast(Affiliation.ADMIN)) {
      occupant.role(usual);
    } else if (occupant.role() != Role.MODERATOR) {
      // Membership gives and takes voice where voice is not everyone's.
      occupant.role(usual);
    }
    return true;
  }

  private boolean isKeptOut(Affiliation affiliation) {
    return affiliation == Affiliation.OUTCAST
        || (config.membersOnly() && !affiliation.isAtLeast(Affiliation.MEMBER));
  }

  /// Gives an occupant another role; with [Role#NONE] it is out (section 8).
  public void role(Occupant occupant, Role role) {
    if (role == Role.NONE) {
      remove(occupant);
    } else {
      occupant.role(role);
    }
  }

  /// Takes another configuration; returns those who may not stay (section 10.2.1).
  public List<Occupant> configure(RoomConfig newConfig) {
    config = newConfig;
    List<Occupant> out = new ArrayList<>();
    for (Occupant occupant : List.copyOf(byNick.values())) {
      if (isKeptOut(occupant.affiliation())) {
        remove(occupant);
        out.add(occupant);
      }
    }
    return out;
  }
}
