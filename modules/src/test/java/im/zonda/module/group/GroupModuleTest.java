package im.zonda.module.group;

import static im.zonda.module.testing.TestXml.iq;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.group.GroupOperations.Accounts;
import im.zonda.module.group.GroupOperations.Chosen;
import im.zonda.module.group.GroupOperations.Given;
import im.zonda.module.group.GroupOperations.Planned;
import im.zonda.module.group.GroupOperations.Preview;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Outcome.Reason;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupModuleTest {
  private static final String HOST = "example.org";
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid NURSE = Jid.of("nurse@example.org");

  private final TestContext context = new TestContext();
  private final TestOperations operations = context.operations();
  private final TestSession romeo;
  private final TestSession juliet;

  GroupModuleTest() {
    GroupModule groups = new GroupModule();
    RosterModule roster = new RosterModule(groups.groups());
    context.install(groups, roster, new PresenceModule(roster));
    romeo = context.bind("romeo@example.org/orchard");
    juliet = context.bind("juliet@example.org/balcony");
    context.account(NURSE.toString());
    for (TestSession each : List.of(romeo, juliet)) {
      version(each);
      context.fromClient(each, (Presence) TestXml.stanza("<presence/>"));
    }
    romeo.takeReceived();
    juliet.takeReceived();
  }

  private static Given group(String id, String name, boolean everyone, boolean hidden) {
    return new Given(HOST, id, name, everyone, List.of(), hidden, List.of(), 500);
  }

  private static Accounts members(String id, Jid... members) {
    return new Accounts(HOST, id, List.of(members));
  }

  private void create(String id, String name, Jid... members) {
    operations.done(GroupOperations.CREATE, group(id, name, false, false));
    operations.done(GroupOperations.ADD_MEMBER, members(id, members));
    settle();
  }

  /// Runs what a change has put into mailboxes, and takes presence to its receivers.
  private void settle() {
    context.runTasks();
    context.deliver();
  }

  private Element roster(TestSession session) {
    IqReply reply =
        context.ask(
            session, iq("<iq type='get' id='g'><query xmlns='jabber:iq:roster' ver=''/></iq>"));
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  private String version(TestSession session) {
    return Objects.requireNonNull(roster(session).attribute("ver"));
  }

  private boolean knows(TestSession session, String version) {
    Iq get =
        iq("<iq type='get' id='g'><query xmlns='jabber:iq:roster' ver='" + version + "'/></iq>");
    return context.ask(session, get).equals(IqReply.empty());
  }

  /// The pushed items as texts, and presence with its sender.
  private static List<String> received(TestSession session) {
    List<String> texts = new ArrayList<>();
    for (Stanza each : session.takeReceived()) {
      switch (each) {
        case Iq push -> texts.add(text(item(push)));
        case Presence presence -> texts.add(presence.type() + " " + presence.from());
        default -> texts.add(each.toString());
      }
    }
    return texts;
  }

  private static Element item(Iq push) {
    return Objects.requireNonNull(push.payload()).children().getFirst();
  }

  private static String text(Element item) {
    return item.attribute("subscription")
        + " "
        + item.attribute("jid")
        + " "
        + item.children().stream().map(Element::text).toList();
  }

  @Test
  void aChangeIsPushedWithPresenceToThoseWhoAreThere() {
    String before = version(romeo);
    create("house", "The house", ROMEO, JULIET, NURSE);

    assertThat(received(romeo))
        .contains("both juliet@example.org [The house]", "both nurse@example.org [The house]")
        .contains("AVAILABLE juliet@example.org/balcony")
        .hasSize(3);
    assertThat(received(juliet))
        .contains("both romeo@example.org [The house]", "AVAILABLE romeo@example.org/orchard");
    assertThat(knows(romeo, before)).isFalse();

    operations.done(GroupOperations.CHANGE, group("house", "Capulet", false, false));
    settle();
    assertThat(received(romeo))
        .containsExactly("both juliet@example.org [Capulet]", "both nurse@example.org [Capulet]");
    assertThat(received(juliet)).hasSize(2);

    operations.done(GroupOperations.REMOVE_MEMBER, members("house", JULIET));
    settle();
    assertThat(received(romeo))
        .containsExactlyInAnyOrder(
            "remove juliet@example.org []", "UNAVAILABLE juliet@example.org/balcony");
    assertThat(received(juliet))
        .containsExactlyInAnyOrder(
            "remove nurse@example.org []",
            "remove romeo@example.org []",
            "UNAVAILABLE romeo@example.org/orchard");
    assertThat(roster(juliet).children()).isEmpty();

    operations.done(GroupOperations.REMOVE, new Chosen(HOST, "house"));
    settle();
    assertThat(received(romeo)).containsExactly("remove nurse@example.org []");
    assertThat(knows(romeo, before)).isTrue();
  }

  @Test
  void theVersionOfThePushIsThatOfTheRoster() {
    operations.done(GroupOperations.CREATE, group("house", "House", false, false));
    operations.done(GroupOperations.ADD_MEMBER, members("house", ROMEO, JULIET));
    settle();
    List<Iq> pushes =
        romeo.takeReceived().stream().filter(Iq.class::isInstance).map(Iq.class::cast).toList();
    String pushed = Objects.requireNonNull(pushes.getLast().payload()).attribute("ver");
    assertThat(knows(romeo, Objects.requireNonNull(pushed))).isTrue();
  }

  @Test
  void aContactOfOnesOwnStaysWithItsNameAndItsPresence() {
    context.ask(
        romeo,
        iq(
            "<iq type='set' id='s'><query xmlns='jabber:iq:roster'>"
                + "<item jid='juliet@example.org' name='J'><group>Mine</group></item></query></iq>"));
    romeo.takeReceived();
    create("house", "House", ROMEO, JULIET);
    assertThat(received(romeo)).contains("both juliet@example.org [Mine, House]");
    operations.done(GroupOperations.REMOVE, new Chosen(HOST, "house"));
    settle();
    assertThat(received(romeo)).contains("none juliet@example.org [Mine]");
  }

  @Test
  void whoAsksDuringAChangeLosesNothing() {
    // The task of the change waits in romeo's mailbox while another of his clients asks.
    operations.done(GroupOperations.CREATE, group("house", "House", false, false));
    operations.done(GroupOperations.ADD_MEMBER, members("house", ROMEO, JULIET));
    TestSession second = context.bind("romeo@example.org/garden");
    assertThat(roster(second).children()).hasSize(1);
    settle();
    assertThat(received(romeo)).contains("both juliet@example.org [House]");
    assertThat(knows(romeo, version(second))).isTrue();
  }

  @Test
  void row_whatIsNoAccountOfTheHostIsNoMember() {
    operations.done(GroupOperations.CREATE, group("house", "House", false, false));
    for (String other :
        List.of(
            "romeo@example.net", "example.org", "nobody@example.org", "romeo@rooms.example.org")) {
      assertThat(
              operations.refused(
                  GroupOperations.ADD_MEMBER, members("house", ROMEO, Jid.of(other))))
          .as(other)
          .isEqualTo(Reason.INVALID);
    }
    settle();
    assertThat(operations.done(GroupOperations.SHOW, new Chosen(HOST, "house")).members()).isZero();
  }

  @Test
  void row_hostileNamesAreRefused() {
    for (String id : List.of("", "A", "a b", "../x", "-x", "x/y", "a".repeat(65), "\u00e4")) {
      assertThat(operations.refused(GroupOperations.CREATE, group(id, "Name", false, false)))
          .as(id)
          .isEqualTo(Reason.INVALID);
    }
    for (String name :
        List.of("", " ", "a\nb=c", "a\u0000", "\u202eevil", "x".repeat(257), "\ud83d")) {
      assertThat(operations.refused(GroupOperations.CREATE, group("house", name, false, false)))
          .as(name)
          .isEqualTo(Reason.INVALID);
    }
    create("house", "<script>&'\"", ROMEO, JULIET);
    assertThat(received(romeo)).contains("both juliet@example.org [<script>&'\"]");
  }

  @Test
  void row_theNextOwnerOfAnAddressIsNoMember() {
    create("house", "House", ROMEO, JULIET);
    context.stores().accounts().remove(JULIET);
    context.forget(JULIET);
    TestSession next = context.bind("juliet@example.org/tomb");
    context.clock().advance(Duration.ofMinutes(5));
    settle();
    assertThat(roster(next).children()).isEmpty();
    assertThat(roster(romeo).children()).isEmpty();
  }

  @Test
  void aGroupOfEveryoneGetsNewAccounts() {
    operations.done(GroupOperations.CREATE, group("all", "All", true, false));
    settle();
    assertThat(received(romeo)).contains("both nurse@example.org [All]");
    TestSession tybalt = context.bind("tybalt@example.org/sword");
    assertThat(roster(tybalt).children()).isEmpty();
    context.clock().advance(Duration.ofSeconds(1));
    settle();
    assertThat(received(tybalt)).contains("both romeo@example.org [All]");
    assertThat(received(romeo)).containsExactly("both tybalt@example.org [All]");
  }

  @Test
  void row_aGroupOfTenThousandIsPushedInPortions() {
    List<Jid> crowd = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      Jid each = Jid.of("crowd" + i, HOST, null);
      crowd.add(each);
      context.account(each.toString());
    }
    operations.done(GroupOperations.CREATE, group("crowd", "Crowd", false, false));
    crowd.add(ROMEO);
    for (int i = 0; i < crowd.size(); i += 1_000) {
      operations.done(
          GroupOperations.ADD_MEMBER,
          new Accounts(HOST, "crowd", crowd.subList(i, Math.min(crowd.size(), i + 1_000))));
    }
    settle();
    Set<String> pushed = new HashSet<>();
    String last = "";
    int most = 0;
    for (int i = 0; i < 100; i++) {
      List<Stanza> portion = romeo.takeReceived();
      most = Math.max(most, portion.size());
      for (Stanza each : portion) {
        Iq push = (Iq) each; // in a group of that size no presence comes
        last = Objects.requireNonNull(Objects.requireNonNull(push.payload()).attribute("ver"));
        pushed.add(item(push).attribute("jid"));
      }
      if (i == 0 || (!portion.isEmpty() && pushed.size() == 10_000)) {
        assertThat(knows(romeo, last)).isEqualTo(pushed.size() == 10_000);
      }
      context.clock().advance(Duration.ofMillis(250));
      settle();
    }
    assertThat(pushed).hasSize(10_000);
    assertThat(most).isLessThanOrEqualTo(200);
    assertThat(roster(romeo).children()).hasSize(10_000);
    assertThat(romeo.takeReceived()).isEmpty();
  }

  @Test
  void row28_aPreviewSaysWhoWouldSeeWhomAndChangesNothing() {
    create("house", "House", ROMEO, JULIET);
    romeo.takeReceived();
    Planned planned =
        new Planned(
            HOST, "house", false, List.of(), false, List.of(), 2, List.of(NURSE), List.of(JULIET));
    Preview preview = operations.done(GroupOperations.PREVIEW, planned);
    assertThat(preview.members()).isEqualTo(2);
    assertThat(preview.changed()).isEqualTo(3);
    assertThat(preview.large()).isFalse();
    assertThat(preview.differences())
        .containsExactly(
            new GroupOperations.Difference(JULIET, 0, 1, List.of(), List.of(ROMEO)),
            new GroupOperations.Difference(NURSE, 1, 0, List.of(ROMEO), List.of()),
            new GroupOperations.Difference(ROMEO, 1, 1, List.of(NURSE), List.of(JULIET)));
    settle();
    assertThat(romeo.takeReceived()).isEmpty();
    assertThat(operations.done(GroupOperations.SHOW, new Chosen(HOST, "house")).first())
        .containsExactly(JULIET, ROMEO);
  }

  @Test
  void whatIsNotThereIsNotChanged() {
    assertThat(operations.refused(GroupOperations.SHOW, new Chosen(HOST, "house")))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.refused(GroupOperations.REMOVE, new Chosen(HOST, "house")))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.refused(GroupOperations.ADD_MEMBER, members("house", ROMEO)))
        .isEqualTo(Reason.NOT_FOUND);
    create("house", "House", ROMEO);
    assertThat(operations.refused(GroupOperations.CREATE, group("house", "House", false, false)))
        .isEqualTo(Reason.CONFLICT);
    assertThat(operations.refused(GroupOperations.REMOVE_MEMBER, members("house", JULIET)))
        .isEqualTo(Reason.INVALID);
    assertThat(
            operations.refused(
                GroupOperations.CHANGE,
                new Given(HOST, "house", "House", false, List.of("other"), false, List.of(), 500)))
        .isEqualTo(Reason.INVALID);
  }
}
