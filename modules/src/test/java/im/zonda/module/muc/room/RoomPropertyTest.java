package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Room.Affected;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.stanza.ErrorCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Applies random changes to a room and to a simple model of it; the invariants hold after each.
class RoomPropertyTest {
  private static final int COMMANDS = 4_000;
  private static final Jid JID = Jid.of("coven@rooms.example.org");
  private static final Jid ADMIN = Jid.of("admin@example.org");
  private static final Affiliation[] AFFILIATIONS = Affiliation.values();
  private static final Role[] ROLES = Role.values();

  /// The occupants in the model: session to nickname and role.
  private record Person(String nick, Role role) {}

  private final Map<Jid, Person> present = new HashMap<>();
  private final Map<Jid, Affiliation> affiliations = new HashMap<>();
  private final Map<Jid, String> reserved = new HashMap<>();
  private Room room =
      new Room(JID, Instant.EPOCH, config(false, false, null, 6), owned(), ADMIN::equals, true);
  private boolean locked = true;

  private static Affiliations owned() {
    Affiliations owned = new Affiliations();
    owned.set(user(0), Affiliation.OWNER, null, null);
    return owned;
  }

  private static Jid user(int number) {
    return Jid.of("user" + number + "@example.org");
  }

  private static RoomConfig config(
      boolean membersOnly, boolean moderated, @Nullable String password, int occupants) {
    RoomConfig d = RoomConfig.of(Rooms.DEFAULTS);
    return new RoomConfig(
        d.name(),
        d.description(),
        d.lang(),
        d.contacts(),
        d.persistent(),
        d.listed(),
        moderated,
        membersOnly,
        password,
        d.nonAnonymous(),
        occupants,
        d.changeSubject(),
        d.invites(),
        d.voiceRequests(),
        d.registration(),
        d.privateMessages(),
        d.broadcast(),
        d.memberList(),
        d.archive(),
        d.history(),
        d.mentions(),
        d.slowMode(),
        d.space());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
  void invariantsHold(long seed) {
    Random random = new Random(seed);
    affiliations.put(user(0), Affiliation.OWNER);
    Set<ErrorCondition> refusals = new HashSet<>();
    for (int i = 0; i < COMMANDS; i++) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> enter(random, refusals);
        case 3 -> leave(random);
        case 4 -> rename(random);
        case 5 -> affiliate(random);
        case 6 -> give(random);
        default -> configure(random);
      }
      check(seed + ", command " + i);
    }
    assertThat(refusals)
        .as("every reason to be refused has come up")
        .contains(
            ErrorCondition.FORBIDDEN,
            ErrorCondition.CONFLICT,
            ErrorCondition.REGISTRATION_REQUIRED,
            ErrorCondition.NOT_AUTHORIZED,
            ErrorCondition.SERVICE_UNAVAILABLE);
  }

  private static Jid session(Random random) {
    Jid bare = random.nextInt(12) == 0 ? ADMIN : user(random.nextInt(8));
    return bare.withResource("r" + random.nextInt(2));
  }

  private static String nick(Random random) {
    // Some of them are equivalent.
    String[] nicks = {
      "hag", "Hag", "witch", "crone", "CRONE", "third witch", "third  witch", "ﬁfth"
    };
    return nicks[random.nextInt(nicks.length)];
  }

  private Affiliation affiliationOf(Jid session) {
    return session.bare().equals(ADMIN)
        ? Affiliation.OWNER
        : affiliations.getOrDefault(session.bare(), Affiliation.NONE);
  }

  private void enter(Random random, Set<ErrorCondition> refusals) {
    Jid session = session(random);
    String nick = nick(random);
    String password = random.nextBoolean() ? "secret" : null;
    ErrorCondition refusal = room.findEntryError(session, nick, password);
    assertThat(refusal).isEqualTo(expectedRefusal(session, nick, password));
    if (refusal != null) {
      refusals.add(refusal);
    } else if (room.occupant(session) == null) {
      Role before = roleOfNick(nick);
      room.enter(session, JID.withResource(nick), new OccupantIds.Id(1, 2));
      Role role = before == null ? room.config().roleOf(affiliationOf(session)) : before;
      present.put(session, new Person(Nickname.key(nick), role));
    }
  }

  private @Nullable Role roleOfNick(String nick) {
    return present.values().stream()
        .filter(person -> person.nick().equals(Nickname.key(nick)))
        .map(Person::role)
        .findFirst()
        .orElse(null);
  }

  private @Nullable ErrorCondition expectedRefusal(
      Jid session, String nick, @Nullable String password) {
    Affiliation affiliation = affiliationOf(session);
    RoomConfig config = room.config();
    if (affiliation == Affiliation.OUTCAST) {
      return ErrorCondition.FORBIDDEN;
    }
    if (locked && affiliation != Affiliation.OWNER) {
      return ErrorCondition.ITEM_NOT_FOUND;
    }
    if (config.membersOnly() && affiliation == Affiliation.NONE) {
      return ErrorCondition.REGISTRATION_REQUIRED;
    }
    if (config.password() != null && !config.password().equals(password)) {
      return ErrorCondition.NOT_AUTHORIZED;
    }
    if (isTaken(session, nick)) {
      return ErrorCondition.CONFLICT;
    }
    boolean staff = affiliation == Affiliation.OWNER || affiliation == Affiliation.ADMIN;
    return present.size() >= config.occupants() && !present.containsKey(session) && !staff
        ? ErrorCondition.SERVICE_UNAVAILABLE
        : null;
  }

  private boolean isTaken(Jid session, String nick) {
    String key = Nickname.key(nick);
    boolean used =
        present.entrySet().stream()
            .anyMatch(entry ->
                entry.getValue().nick().equals(key)
                    && !entry.getKey().bare().equals(session.bare()));
    boolean kept =
        reserved.entrySet().stream()
            .anyMatch(
                entry -> entry.getValue().equals(key) && !entry.getKey().equals(session.bare()));
    return used || kept;
  }

  private void leave(Random random) {
    Jid session = session(random);
    Occupant left = room.leave(session);
    assertThat(left != null).isEqualTo(present.remove(session) != null);
  }

  private void rename(Random random) {
    Jid session = session(random);
    String nick = nick(random);
    Occupant who = room.occupant(session);
    Occupant other = room.occupantByNick(nick);
    if (who == null || !room.isNickAvailable(session, nick) || (other != null && other != who)) {
      return;
    }
    room.rename(who, JID.withResource(nick));
    for (OccupantSession occupantSession : who.sessions()) {
      present.computeIfPresent(
          occupantSession.jid(), (key, person) -> new Person(Nickname.key(nick), person.role()));
    }
  }

  private void affiliate(Random random) {
    List<AffiliationChange> changes = new ArrayList<>();
    Set<Jid> changed = new HashSet<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      Jid user = user(random.nextInt(8));
      if (changed.add(user)) {
        String wanted = random.nextInt(4) == 0 ? nick(random) : null;
        boolean free = wanted != null && !isTaken(user.withResource("x"), wanted);
        changes.add(
            new AffiliationChange(
                user,
                AFFILIATIONS[random.nextInt(AFFILIATIONS.length)],
                free ? wanted : null,
                null));
      }
    }
    Map<Jid, Affiliation> after = new HashMap<>(affiliations);
    changes.forEach(change -> after.put(change.user(), change.affiliation()));
    boolean owned = after.containsValue(Affiliation.OWNER);
    assertThat(room.keepsAnOwner(changes)).isEqualTo(owned);
    boolean clash =
        changes.stream()
                .map(AffiliationChange::nick)
                .filter(Objects::nonNull)
                .map(Nickname::key)
                .distinct()
                .count()
            < changes.stream().filter(change -> change.nick() != null).count();
    if (!owned || clash) {
      return;
    }
    Map<Jid, Affiliation> before = new HashMap<>(affiliations);
    affiliations.putAll(after);
    for (AffiliationChange change : changes) {
      String nick = change.nick();
      if (nick == null || change.affiliation() == Affiliation.NONE) {
        reserved.remove(change.user());
      } else {
        reserved.put(change.user(), Nickname.key(nick));
      }
    }
    List<Affected> affected = room.applyAffiliations(changes);
    affected.forEach(one -> follow(one, before));
  }

  /// Applies a new affiliation to the role (section 5.1.2).
  private void follow(Affected one, Map<Jid, Affiliation> before) {
    Affiliation was = before.getOrDefault(one.occupant().user(), Affiliation.NONE);
    Affiliation is = affiliations.getOrDefault(one.occupant().user(), Affiliation.NONE);
    assertThat(was).isNotEqualTo(is);
    boolean mayStay =
        is != Affiliation.OUTCAST && !(room.config().membersOnly() && is == Affiliation.NONE);
    assertThat(one.present()).isEqualTo(mayStay);
    for (OccupantSession occupantSession : one.occupant().sessions()) {
      if (mayStay) {
        present.computeIfPresent(
            occupantSession.jid(),
            (key, person) -> new Person(person.nick(), one.occupant().role()));
      } else {
        present.remove(occupantSession.jid());
      }
    }
  }

  private void give(Random random) {
    Occupant who = room.occupant(session(random));
    if (who == null) {
      return;
    }
    Role role = ROLES[random.nextInt(ROLES.length)];
    room.changeRole(who, role);
    for (OccupantSession occupantSession : who.sessions()) {
      if (role == Role.NONE) {
        present.remove(occupantSession.jid());
      } else {
        present.computeIfPresent(
            occupantSession.jid(), (key, person) -> new Person(person.nick(), role));
      }
    }
  }

  private void configure(Random random) {
    if (random.nextInt(4) == 0) {
      room.unlock();
      locked = false;
    }
    RoomConfig config =
        config(
            random.nextInt(4) == 0,
            random.nextBoolean(),
            random.nextInt(3) == 0 ? "secret" : null,
            3 + random.nextInt(6));
    List<Occupant> out = room.configure(config);
    for (Occupant who : out) {
      assertThat(config.membersOnly()).isTrue();
      assertThat(who.affiliation()).isEqualTo(Affiliation.NONE);
      who.sessions().forEach(occupantSession -> present.remove(occupantSession.jid()));
    }
  }

  private void check(String where) {
    assertThat(room.affiliations().owners()).as(where).isPositive();
    assertThat(room.size()).as(where).isEqualTo(present.size());
    Set<Jid> seen = new HashSet<>();
    Set<String> nicks = new HashSet<>();
    for (Occupant who : room.occupants()) {
      assertThat(nicks.add(Nickname.key(who.nick()))).as(where).isTrue();
      assertThat(who.sessions()).as(where).isNotEmpty();
      assertThat(who.role()).as(where).isNotEqualTo(Role.NONE);
      assertThat(who.affiliation()).as(where).isEqualTo(affiliationOf(who.user()));
      assertThat(who.affiliation()).as(where).isNotEqualTo(Affiliation.OUTCAST);
      if (room.config().membersOnly()) {
        assertThat(who.affiliation()).as(where).isNotEqualTo(Affiliation.NONE);
      }
      for (OccupantSession occupantSession : who.sessions()) {
        assertThat(seen.add(occupantSession.jid())).as(where).isTrue();
        assertThat(occupantSession.jid().bare()).as(where).isEqualTo(who.user());
        assertThat(room.occupant(occupantSession.jid())).as(where).isSameAs(who);
        assertThat(present.get(occupantSession.jid()))
            .as(where)
            .isEqualTo(new Person(Nickname.key(who.nick()), who.role()));
      }
    }
    assertThat(seen).as(where).isEqualTo(present.keySet());
  }
}
