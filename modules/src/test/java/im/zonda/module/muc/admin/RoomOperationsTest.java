package im.zonda.module.muc.admin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.muc.MucModule;
import im.zonda.module.muc.admin.RoomOperations.Property;
import im.zonda.module.muc.admin.RoomOperations.Switch;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.testing.TestComponents;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Secret;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoomOperationsTest {
  private static final Jid ROOM = Jid.of("family@rooms.example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final String HOST = "example.org";

  private final TestContext context = new TestContext().install(new MucModule());
  private final TestOperations operations = context.operations();

  /// What the service has sent, except the answers to the host.
  private final List<Stanza> sent = new ArrayList<>();

  RoomOperationsTest() {
    ((TestComponents) context.port(ExternalComponents.class)).answerBy(this::answer);
    context.account(ROMEO.toString());
    context.account(JULIET.toString());
  }

  private Iq answer(Iq request) {
    sent.addAll(context.takeSent());
    context.host().toService(request);
    Iq found = null;
    for (Stanza each : context.takeSent()) {
      if (each instanceof Iq iq && Objects.equals(iq.id(), request.id())) {
        found = iq;
      } else {
        sent.add(each);
      }
    }
    return Objects.requireNonNull(found);
  }

  private <I extends Record> void change(Operation<I, Nothing> operation, I input) {
    Nothing done = operations.done(operation, input);
    assertThat(done).isEqualTo(Nothing.NOTHING);
  }

  private void create(Jid room) {
    change(RoomOperations.CREATE, new RoomOperations.Draft(room, ROMEO, "The Family", false, true));
  }

  private void enter(Jid user, String nick) {
    enter(ROOM, user, nick);
  }

  private void enter(Jid room, Jid user, String nick) {
    context
        .host()
        .toService(
            TestXml.presence(
                "<presence from='%s/x' to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
                    .formatted(user, room, nick)));
    sent.addAll(context.takeSent());
  }

  private void say(String text) {
    context
        .host()
        .toService(
            TestXml.message(
                "<message type='groupchat' from='%s/x' to='%s'><body>%s</body></message>"
                    .formatted(ROMEO, ROOM, text)));
    sent.addAll(context.takeSent());
  }

  private RoomStore.@Nullable Stored stored() {
    return context.stores().rooms().find(ROOM);
  }

  private RoomOperations.Shown shown() {
    return operations.done(RoomOperations.SHOW, new RoomOperations.Chosen(ROOM));
  }

  @Test
  void aRoomIsShownWithItsSubject() {
    create(ROOM);
    assertThat(shown().roomSubject()).isNull();
    enter(ROMEO, "Romeo");
    for (String subject : List.of("Tea &lt;b&gt;", "")) {
      context
          .host()
          .toService(
              TestXml.message(
                  "<message type='groupchat' from='%s/x' to='%s'><subject>%s</subject></message>"
                      .formatted(ROMEO, ROOM, subject)));
      assertThat(shown().roomSubject()).isEqualTo(subject.isEmpty() ? null : "Tea <b>");
    }
  }

  private RoomOperations.Lines list(@Nullable String after, int limit, Property... only) {
    return list(RoomOperations.Order.ADDRESS, after, limit, only);
  }

  private RoomOperations.Lines list(
      RoomOperations.Order order, @Nullable String after, int limit, Property... only) {
    return operations.done(
        RoomOperations.LIST, new RoomOperations.Wanted(HOST, List.of(only), order, after, limit));
  }

  private List<String> names(Property... only) {
    return list(null, 50, only).rooms().stream()
        .map(each -> String.valueOf(each.room().local()))
        .toList();
  }

  private static RoomOperations.Change setting(
      @Nullable String name,
      @Nullable Switch membersOnly,
      @Nullable Secret password,
      @Nullable Integer slowMode) {
    return new RoomOperations.Change(
        ROOM,
        name,
        null,
        null,
        null,
        membersOnly,
        null,
        null,
        password,
        null,
        null,
        null,
        null,
        null,
        slowMode);
  }

  @Test
  void aRoomIsCreatedForAnAccountAndStays() {
    create(ROOM);
    RoomOperations.Shown room = shown();
    assertThat(room.owners()).containsExactly(ROMEO);
    assertThat(room.creator()).isEqualTo(ROMEO);
    assertThat(room.settings().name()).isEqualTo("The Family");
    assertThat(room.settings().persistent()).isTrue();
    assertThat(room.settings().listed()).isTrue();
    assertThat(room.occupants()).isZero();
    assertThat(room.oldest()).isNull();
    assertThat(Objects.requireNonNull(stored()).room().persistent()).isTrue();
    assertThat(
            operations.refused(
                RoomOperations.CREATE, new RoomOperations.Draft(ROOM, JULIET, null, false, false)))
        .isEqualTo(Reason.CONFLICT);
    assertThat(shown().owners()).containsExactly(ROMEO);
  }

  /// Somebody who registers the address later would own it.
  @Test
  void aRoomIsNotCreatedForAnAccountThatDoesNotExist() {
    assertThat(
            operations.refused(
                RoomOperations.CREATE,
                new RoomOperations.Draft(ROOM, Jid.of("nobody@example.org"), null, false, false)))
        .isEqualTo(Reason.INVALID);
    assertThat(stored()).isNull();
    assertThat(
            operations.refused(
                RoomOperations.CREATE,
                new RoomOperations.Draft(Jid.of("family@example.org"), ROMEO, null, false, false)))
        .isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void settingsChangeByTheRulesOfOwners() {
    create(ROOM);
    enter(JULIET, "J");
    change(RoomOperations.CONFIGURE, setting("Capulets", Switch.ON, new Secret("balcony"), 30));
    RoomOperations.Settings settings = shown().settings();
    assertThat(settings.name()).isEqualTo("Capulets");
    assertThat(settings.membersOnly()).isTrue();
    assertThat(settings.password()).isTrue();
    assertThat(settings.slowMode()).isEqualTo(30);
    assertThat(settings.listed()).as("not asked for").isTrue();
    assertThat(shown().occupants()).as("no member").isZero();
    assertThat(operations.changes())
        .contains("roomname: The Family -> Capulets", "membersonly: 0 -> 1")
        .noneMatch(each -> each.contains("balcony"));
    assertThat(operations.refused(RoomOperations.CONFIGURE, setting(null, null, null, 1_000_000)))
        .isEqualTo(Reason.INVALID);
    assertThat(shown().settings().slowMode()).isEqualTo(30);
  }

  @Test
  void occupantsAreListedByPagesAndKicked() {
    create(ROOM);
    enter(ROMEO, "R");
    enter(JULIET, "J");
    RoomOperations.Occupants first =
        operations.done(RoomOperations.OCCUPANTS, new RoomOperations.Portion(ROOM, null, 1));
    assertThat(first.count()).isEqualTo(2);
    assertThat(first.occupants())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.nick()).isEqualTo("J");
          assertThat(each.address()).isEqualTo(Jid.of("juliet@example.org/x"));
          assertThat(each.affiliation()).isEqualTo(Affiliation.NONE);
        });
    RoomOperations.Occupants second =
        operations.done(
            RoomOperations.OCCUPANTS, new RoomOperations.Portion(ROOM, first.next(), 2));
    assertThat(second.occupants()).extracting("nick").containsExactly("R");
    assertThat(second.next()).isNull();
    assertThat(names(Property.OCCUPIED)).containsExactly("family");
    change(RoomOperations.KICK, new RoomOperations.Kicked(ROOM, "R", "enough"));
    assertThat(shown().occupants()).as("owners too").isEqualTo(1);
    assertThat(sent.toString()).contains("307", "enough");
    assertThat(operations.refused(RoomOperations.KICK, new RoomOperations.Kicked(ROOM, "R", null)))
        .isEqualTo(Reason.NOT_FOUND);
  }

  private void affiliate(String user, Affiliation affiliation) {
    change(
        RoomOperations.AFFILIATE, new RoomOperations.Given(ROOM, Jid.of(user), affiliation, null));
  }

  @Test
  void affiliationsAreGivenAndTakenAndListedByPages() {
    create(ROOM);
    affiliate("juliet@example.org", Affiliation.OWNER);
    affiliate("tybalt@example.net", Affiliation.OUTCAST);
    affiliate("example.org", Affiliation.MEMBER);
    RoomOperations.Affiliations first =
        operations.done(
            RoomOperations.AFFILIATIONS, new RoomOperations.OfRoom(ROOM, null, null, 3));
    RoomOperations.Affiliations rest =
        operations.done(
            RoomOperations.AFFILIATIONS, new RoomOperations.OfRoom(ROOM, null, first.next(), 3));
    List<String> all = new ArrayList<>();
    first.affiliations().forEach(each -> all.add(each.user() + " " + each.affiliation()));
    rest.affiliations().forEach(each -> all.add(each.user() + " " + each.affiliation()));
    assertThat(all)
        .containsExactlyInAnyOrder(
            "example.org MEMBER",
            "juliet@example.org OWNER",
            "romeo@example.org OWNER",
            "tybalt@example.net OUTCAST");
    assertThat(rest.next()).isNull();
    affiliate("romeo@example.org", Affiliation.NONE);
    assertThat(operations.changes()).contains("affiliation of romeo@example.org: owner -> none");
    assertThat(
            operations.refused(
                RoomOperations.AFFILIATE,
                new RoomOperations.Given(ROOM, JULIET, Affiliation.NONE, null)))
        .as("a room keeps an owner")
        .isEqualTo(Reason.CONFLICT);
    assertThat(shown().owners()).containsExactly(JULIET);
  }

  @Test
  void roomsAreListedByPagesAndProperties() {
    create(ROOM);
    create(Jid.of("attic@rooms.example.org"));
    change(
        RoomOperations.CREATE,
        new RoomOperations.Draft(Jid.of("cellar@rooms.example.org"), ROMEO, null, true, false));
    enter(JULIET, "J");
    assertThat(names()).containsExactly("attic", "cellar", "family");
    assertThat(names(Property.PUBLIC)).containsExactly("attic", "family");
    assertThat(names(Property.PUBLIC, Property.EMPTY)).containsExactly("attic");
    assertThat(names(Property.HIDDEN)).containsExactly("cellar");
    assertThat(names(Property.TEMPORARY)).isEmpty();
    RoomOperations.Lines first = list(null, 2);
    assertThat(first.next()).isEqualTo("cellar");
    RoomOperations.Lines second = list(first.next(), 2);
    assertThat(second.rooms()).extracting("occupants").containsExactly(1);
    assertThat(second.next()).isNull();
  }

  @Test
  void roomsAreListedByTheirAgeAndByTheirOccupants() {
    for (String name : List.of("attic", "cellar", "family", "loft")) {
      create(Jid.of(name + "@rooms.example.org"));
      context.clock().advance(Duration.ofSeconds(name.equals("cellar") ? 0 : 1));
    }
    enter(ROMEO, "R");
    enter(JULIET, "J");
    enter(Jid.of("cellar@rooms.example.org"), JULIET, "J");
    assertThat(walk(RoomOperations.Order.CREATED))
        .containsExactly("loft", "family", "cellar", "attic");
    assertThat(walk(RoomOperations.Order.OCCUPANTS)).containsExactly("family", "cellar");
    for (RoomOperations.Order order :
        List.of(RoomOperations.Order.CREATED, RoomOperations.Order.OCCUPANTS)) {
      RoomOperations.Wanted wrong = new RoomOperations.Wanted(HOST, List.of(), order, "cellar", 50);
      assertThat(operations.refused(RoomOperations.LIST, wrong)).isEqualTo(Reason.INVALID);
    }
  }

  /// The names of all rooms, a page for each.
  private List<String> walk(RoomOperations.Order order) {
    List<String> names = new ArrayList<>();
    String after = null;
    do {
      RoomOperations.Lines page = list(order, after, 1);
      page.rooms().forEach(each -> names.add(String.valueOf(each.room().local())));
      after = page.next();
    } while (after != null);
    return names;
  }

  @Test
  void aDestroyedRoomIsRestoredUnlessItWasErased() {
    create(ROOM);
    enter(JULIET, "J");
    change(
        RoomOperations.DESTROY,
        new RoomOperations.Doomed(ROOM, "the end", Jid.of("tomb@rooms.example.org"), false));
    assertThat(sent.toString()).contains("the end", "tomb@rooms.example.org");
    assertThat(stored()).isNull();
    assertThat(
            operations
                .done(RoomOperations.REMOVED, new RoomOperations.OfHost(HOST, null, 10))
                .rooms())
        .extracting("room")
        .containsExactly(ROOM);
    change(RoomOperations.RESTORE, new RoomOperations.Restored(ROOM, null));
    assertThat(shown().owners()).containsExactly(ROMEO);
    assertThat(operations.refused(RoomOperations.RESTORE, new RoomOperations.Restored(ROOM, 1L)))
        .isEqualTo(Reason.CONFLICT);
    change(RoomOperations.DESTROY, new RoomOperations.Doomed(ROOM, null, null, true));
    assertThat(operations.refused(RoomOperations.RESTORE, new RoomOperations.Restored(ROOM, null)))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.refused(RoomOperations.SHOW, new RoomOperations.Chosen(ROOM)))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(
            operations.refused(
                RoomOperations.DESTROY, new RoomOperations.Doomed(ROOM, null, null, false)))
        .isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void oldMessagesLeaveTheArchiveAndWhatIsShownToThoseWhoEnter() {
    create(ROOM);
    enter(ROMEO, "R");
    say("yesterday");
    Instant before = Objects.requireNonNull(shown().latest()).plusNanos(1_000);
    say("today");
    run(RoomOperations.CLEAN, new RoomOperations.Cleaned(ROOM, before));
    assertThat(operations.jobs()).containsExactly("Removed 1 messages.");
    assertThat(shown().oldest()).isEqualTo(shown().latest()).isAfterOrEqualTo(before);
    sent.clear();
    enter(JULIET, "J");
    assertThat(sent.toString()).contains("today").doesNotContain("yesterday");
    assertThat(
            operations.refused(
                RoomOperations.CLEAN,
                new RoomOperations.Cleaned(ROOM, context.clock().instant().plusSeconds(60))))
        .isEqualTo(Reason.INVALID);
  }

  private <I extends Record, R extends Record> void run(Operation<I, R> operation, I input) {
    assertThat(operations.run(TestOperations.OWNER, operation, input))
        .isInstanceOf(Outcome.Started.class);
  }

  @Test
  void roomsThatNobodyUsesAreListedFirstAndThenDestroyed() {
    create(ROOM);
    create(Jid.of("attic@rooms.example.org"));
    create(Jid.of("cellar@rooms.example.org"));
    noArchive(Jid.of("cellar@rooms.example.org"));
    context.clock().advance(Duration.ofDays(30));
    enter(ROMEO, "R");
    Instant since = context.clock().instant().minus(Duration.ofDays(7));
    create(Jid.of("loft@rooms.example.org"));
    Message said =
        TestXml.message(
            "<message type='groupchat' from='%s/R'><body>I am here</body></message>"
                .formatted(ROOM));
    long now = context.clock().millis() * 1_000;
    context
        .stores()
        .messages()
        .append(new MessageLog.Entry(ROOM, now, ROOM, said), MessageLog.Keep.ARCHIVE, false)
        .delivered();
    RoomOperations.IdleRooms idle =
        operations.done(
            RoomOperations.DESTROY_IDLE, new RoomOperations.Unused(HOST, since, true, null, null));
    assertThat(idle.rooms()).extracting(each -> each.room().local()).containsExactly("attic");
    assertThat(idle.next()).isNull();
    assertThat(names()).hasSize(4);
    run(RoomOperations.DESTROY_IDLE, new RoomOperations.Unused(HOST, since, false, null, null));
    assertThat(names())
        .as("without an archive it is not known")
        .containsExactly("cellar", "family", "loft");
    assertThat(operations.jobs()).containsExactly("Destroyed 1 of 4 rooms.");
  }

  private void noArchive(Jid room) {
    change(
        RoomOperations.CONFIGURE,
        new RoomOperations.Change(
            room,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            Switch.OFF,
            null,
            null,
            null,
            null,
            null));
  }

  @Test
  void aRoomWithSomebodyInItIsUsedEvenIfNobodySpeaks() {
    create(ROOM);
    context.clock().advance(Duration.ofDays(30));
    enter(JULIET, "J");
    run(
        RoomOperations.DESTROY_IDLE,
        new RoomOperations.Unused(HOST, context.clock().instant(), false, null, null));
    assertThat(names()).containsExactly("family");
  }

  @Test
  void onlyTheHostAsks() {
    create(ROOM);
    for (String payload :
        List.of(
            "<occupants xmlns='urn:zonda:rooms:0' max='9'/>",
            "<create xmlns='urn:zonda:rooms:0' owner='juliet@example.org'/>",
            "<cleaned xmlns='urn:zonda:rooms:0' before='9223372036854775807'/>")) {
      String type = payload.startsWith("<occupants") ? "get" : "set";
      Iq answer =
          answer(
              TestXml.iq(
                  "<iq type='%s' id='q' from='%s/x' to='%s'>%s</iq>"
                      .formatted(type, ROMEO, ROOM, payload)));
      assertThat(answer.isError()).as(payload).isTrue();
    }
    Iq erased =
        answer(
            TestXml.iq(
                ("<iq type='set' id='q' from='%s/x' to='%s'><query"
                        + " xmlns='http://jabber.org/protocol/muc#owner'><destroy><erase"
                        + " xmlns='urn:zonda:rooms:0'/></destroy></query></iq>")
                    .formatted(ROMEO, ROOM)));
    assertThat(erased.isError()).isFalse();
    change(RoomOperations.RESTORE, new RoomOperations.Restored(ROOM, null));
  }
}
