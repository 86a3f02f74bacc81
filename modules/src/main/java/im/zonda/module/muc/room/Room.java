package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The state of a room: its occupants, affiliations and configuration (XEP-0045, section 5). A pure
/// state machine: it neither reads nor sends stanzas, and does not check permissions.
///
/// Invariants: the room has an owner unless the accounts of all its owners were removed; no
/// occupant is excluded by the configuration or an affiliation; a nickname has one occupant; a
/// session is in the room once.
public final class Room {
  /// The room's subject.
  ///
  /// @param message the message that set it, from the occupant's address
  /// @param time when it was set
  public record Subject(Message message, Instant time) {
    /// Whether a message changes the subject (section 7.2.14).
    public static boolean isChangedBy(Message message) {
      return message.type() == Message.Type.GROUPCHAT
          && message.has(MucNames.SUBJECT)
          && !message.hasBody();
    }
  }

  /// A new affiliation of a user.
  ///
  /// @param nick the nickname to reserve, or null
  /// @param reason as given by the requester, or null
  public record AffiliationChange(
      Jid user, Affiliation affiliation, @Nullable String nick, @Nullable String reason) {}

  /// An occupant whose affiliation has changed.
  ///
  /// @param present whether the occupant is still in the room
  public record Affected(Occupant occupant, boolean present) {}

  private final Jid jid;
  private final Instant created;
  private final Affiliations affiliations;
  private final Predicate<Jid> isAdmin;
  private final Map<String, Occupant> byNick = new LinkedHashMap<>();
  private final Map<Jid, Occupant> bySession = new HashMap<>();
  private RoomConfig config;
  private final DepartedRates departedRates = new DepartedRates();
  private Hats hats = new Hats();
  private @Nullable Subject subject;
  private boolean locked;

  /// Whether anybody has spoken in the room, or an owner has made it their own.
  private boolean used;

  /// Whether the form of a locked room has been requested.
  private boolean beingConfigured;

  /// Sessions that have entered, left or changed since [#takeChanged]; null until somebody asks.
  private @Nullable Set<Jid> changed;

  /// Creates a room without occupants.
  ///
  /// @param isAdmin which bare addresses own every room
  /// @param locked whether the room waits for its first configuration, so that only owners may
  ///   enter
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

  // ---- configuration

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

  /// Returns the affiliation of a bare address.
  public Affiliation affiliationOf(Jid user) {
    return isAdmin.test(user) ? Affiliation.OWNER : affiliations.of(user);
  }

  public @Nullable Subject subject() {
    return subject;
  }

  public void setSubject(@Nullable Subject newSubject) {
    subject = newSubject;
  }

  /// The hats of the room.
  public Hats hats() {
    return hats;
  }

  /// Replaces the hats, and updates the occupants who wear them.
  public void setHats(Hats newHats) {
    hats = newHats;
    byNick.values().forEach(occupant -> occupant.setHats(newHats.of(occupant.user())));
  }

  public boolean isLocked() {
    return locked;
  }

  /// Whether an owner has requested the form of the room while it was locked.
  public boolean isBeingConfigured() {
    return beingConfigured;
  }

  /// An owner has requested the form.
  public void beginConfiguration() {
    beingConfigured |= locked;
  }

  public void unlock() {
    locked = false;
    beingConfigured = false;
  }

  /// Whether anybody has spoken in the room, or an owner has made it their own: by another
  /// configuration than the default one, an affiliation, an invitation, a hat or an avatar, or by a
  /// form that asks for a persistent room.
  public boolean isUsed() {
    return used;
  }

  public void setUsed() {
    used = true;
  }

  /// Whether the room goes now: it is empty, and is temporary, locked, or not used.
  public boolean isOver() {
    return bySession.isEmpty() && (locked || !used || !config.persistent());
  }

  // ---- occupants

  /// The occupants in the order in which they entered.
  public Collection<Occupant> occupants() {
    return byNick.values();
  }

  /// The number of sessions.
  public int size() {
    return bySession.size();
  }

  /// Finds an occupant by the full address of a session, or null.
  public @Nullable Occupant occupant(Jid session) {
    return bySession.get(session);
  }

  /// Finds an occupant by nickname, or null.
  public @Nullable Occupant occupantByNick(String nick) {
    return byNick.get(Nickname.key(nick));
  }

  /// Finds the occupants of an account, or of a domain.
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

  /// An occupant has changed.
  public void changed(Occupant occupant) {
    if (changed != null) {
      occupant.sessions().forEach(session -> changed(session.jid()));
    }
  }

  private void changed(Jid session) {
    if (changed != null) {
      // The latest last.
      changed.remove(session);
      changed.add(session);
    }
  }

  /// Takes the sessions that have entered, left or changed since the last call; at the first one,
  /// all sessions.
  ///
  /// @param all whether to take all sessions that are in the room, too
  public Collection<Jid> takeChanged(boolean all) {
    Set<Jid> taken = changed;
    if (taken != null && taken.isEmpty() && !all) {
      return List.of();
    }
    changed = new LinkedHashSet<>();
    if (taken != null && !all) {
      return taken;
    }
    Set<Jid> more = taken == null ? new LinkedHashSet<>() : taken;
    for (Occupant occupant : byNick.values()) {
      occupant.sessions().forEach(session -> more.add(session.jid()));
    }
    return more;
  }

  /// Whether `viewer` sees real JIDs (section 4.2).
  public boolean showsAddressesTo(Occupant viewer) {
    return config.nonAnonymous() || viewer.role() == Role.MODERATOR;
  }

  // ---- entering and exiting

  /// Returns the error if the session may not enter under that nickname, otherwise null (section
  /// 7.2).
  public @Nullable ErrorCondition findEntryError(
      Jid session, String nick, @Nullable String password) {
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
    if (!isNickAvailable(session, nick)) {
      return ErrorCondition.CONFLICT;
    }
    boolean full = size() >= config.occupants() && !bySession.containsKey(session);
    return full && !affiliation.isAtLeast(Affiliation.ADMIN)
        ? ErrorCondition.SERVICE_UNAVAILABLE
        : null;
  }

  /// Whether the nickname is neither used nor reserved by another user.
  public boolean isNickAvailable(Jid session, String nick) {
    Jid user = session.bare();
    Occupant present = occupantByNick(nick);
    Jid holder = affiliations.holderOf(nick);
    return (present == null || present.user().equals(user))
        && (holder == null || holder.equals(user));
  }

  /// Adds a session that [#findEntryError] accepts and that is not in the room.
  ///
  /// @param address the room's address with the nickname
  /// @param id the occupant id (XEP-0421)
  public Occupant enter(Jid session, Jid address, OccupantIds.Id id) {
    String nick = address.resource();
    if (nick == null || bySession.containsKey(session)) {
      throw new IllegalStateException("cannot enter: " + address);
    }
    Occupant occupant = occupantByNick(nick);
    if (occupant == null) {
      Affiliation affiliation = affiliationOf(session.bare());
      occupant = new Occupant(session.bare(), address, id, affiliation, config.roleOf(affiliation));
      occupant.setHats(hats.of(session.bare()));
      byNick.put(Nickname.key(nick), occupant);
    }
    OccupantSession entered = new OccupantSession(session);
    entered.continueRates(departedRates.find(session.bare()));
    occupant.add(entered);
    bySession.put(session, occupant);
    changed(session);
    return occupant;
  }

  /// Removes a session; returns its occupant, which may have other sessions, or null.
  public @Nullable Occupant leave(Jid session) {
    Occupant occupant = bySession.remove(session);
    if (occupant != null) {
      changed(session);
      OccupantSession occupantSession = occupant.session(session);
      if (occupantSession != null) {
        occupant.remove(occupantSession);
        departed(occupantSession);
      }
      if (occupant.sessions().isEmpty()) {
        byNick.remove(Nickname.key(occupant.nick()));
        occupant.setRole(Role.NONE);
      }
    }
    return occupant;
  }

  /// Removes an occupant with all sessions, which its object keeps.
  public void remove(Occupant occupant) {
    byNick.remove(Nickname.key(occupant.nick()), occupant);
    for (OccupantSession occupantSession : occupant.sessions()) {
      bySession.remove(occupantSession.jid());
      changed(occupantSession.jid());
      departed(occupantSession);
    }
    occupant.setRole(Role.NONE);
  }

  private void departed(OccupantSession session) {
    OccupantRates rates = session.rates();
    if (rates != null) {
      departedRates.keep(session.jid().bare(), rates);
    }
    session.release();
  }

  /// Removes rate limits of former occupants that no longer have an effect.
  public void forgetOldRates(long nowMillis) {
    departedRates.forgetOld(nowMillis);
  }

  /// Removes all occupants and their affiliations, as the room is destroyed.
  public List<Occupant> destroy() {
    List<Occupant> all = List.copyOf(byNick.values());
    for (Occupant occupant : all) {
      remove(occupant);
      occupant.setAffiliation(Affiliation.NONE);
    }
    return all;
  }

  /// Changes the nickname of an occupant to one that [#isNickAvailable] accepts and that no other
  /// occupant of the same account has.
  public void rename(Occupant occupant, Jid address) {
    String nick = address.resource();
    Occupant other = nick == null ? null : occupantByNick(nick);
    if (nick == null || (other != null && !other.equals(occupant))) {
      throw new IllegalStateException("cannot be renamed: " + address);
    }
    byNick.remove(Nickname.key(occupant.nick()));
    occupant.setAddress(address);
    changed(occupant);
    byNick.put(Nickname.key(nick), occupant);
  }

  // ---- roles and affiliations

  /// Whether only that user is left: there is no other member, admin or owner, and no other
  /// occupant.
  public boolean isAbandonedWithout(Jid user) {
    boolean others =
        affiliations.all().entrySet().stream()
            .anyMatch(each ->
                !each.getKey().equals(user)
                    && each.getValue().affiliation().isAtLeast(Affiliation.MEMBER));
    return !others && byNick.values().stream().allMatch(each -> each.user().equals(user));
  }

  /// Whether the room would still have an owner, or has lost its last one with an account.
  public boolean keepsAnOwner(List<AffiliationChange> changes) {
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
    return owners > 0 || affiliations.owners() == 0;
  }

  /// Applies changes that the host makes: for users whose accounts were removed, or in a room that
  /// it keeps itself. The room may have no owner then, except for those who own every room.
  public List<Affected> applyByHost(List<AffiliationChange> changes) {
    return apply(changes);
  }

  /// Changes affiliations, all at once, and removes occupants who may not stay (sections 9 and 10).
  ///
  /// @throws IllegalStateException if the room would have no owner
  public List<Affected> applyAffiliations(List<AffiliationChange> changes) {
    if (!keepsAnOwner(changes)) {
      throw new IllegalStateException("a room has an owner");
    }
    return apply(changes);
  }

  private List<Affected> apply(List<AffiliationChange> changes) {
    List<Affected> affected = new ArrayList<>();
    for (AffiliationChange change : changes) {
      affiliations.set(change.user(), change.affiliation(), change.nick(), change.reason());
    }
    for (AffiliationChange change : changes) {
      for (Occupant occupant : occupantsOf(change.user())) {
        Affiliation before = occupant.affiliation();
        Affiliation after = affiliationOf(occupant.user());
        if (before != after) {
          occupant.setAffiliation(after);
          affected.add(new Affected(occupant, stays(occupant, before)));
        }
      }
    }
    return affected;
  }

  /// Gives the occupant the role of its new affiliation, or removes it; returns whether it stays.
  private boolean stays(Occupant occupant, Affiliation before) {
    Affiliation after = occupant.affiliation();
    if (isKeptOut(after)) {
      remove(occupant);
      return false;
    }
    boolean wasStaff = before.isAtLeast(Affiliation.ADMIN);
    Role usual = config.roleOf(after);
    if (wasStaff || after.isAtLeast(Affiliation.ADMIN)) {
      occupant.setRole(usual);
    } else if (occupant.role() != Role.MODERATOR) {
      // In a moderated room, membership grants voice.
      occupant.setRole(usual);
    }
    changed(occupant);
    return true;
  }

  private boolean isKeptOut(Affiliation affiliation) {
    return affiliation == Affiliation.OUTCAST
        || (config.membersOnly() && !affiliation.isAtLeast(Affiliation.MEMBER));
  }

  /// Changes the role of an occupant; [Role#NONE] removes it (section 8).
  public void changeRole(Occupant occupant, Role role) {
    if (role == Role.NONE) {
      remove(occupant);
    } else {
      occupant.setRole(role);
      changed(occupant);
    }
  }

  /// Replaces the configuration; returns the occupants who were removed (section 10.2.1).
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
