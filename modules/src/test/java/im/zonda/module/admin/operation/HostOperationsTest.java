package im.zonda.module.admin.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.admin.operation.AccessOperations.Appointed;
import im.zonda.module.admin.operation.AccessOperations.Change;
import im.zonda.module.admin.operation.AccessOperations.Kind;
import im.zonda.module.admin.operation.NoticeOperations.Announcement;
import im.zonda.module.admin.operation.NoticeOperations.Audience;
import im.zonda.module.admin.operation.NoticeOperations.Shown;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.Role;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Announcements, stored messages, access lists and administrators of a host.
class HostOperationsTest {
  private static final String HOST = "example.org";
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid SPAM = Jid.of("spam.example");

  private final TestContext context = new TestContext();
  private final TestOperations operations = context.operations();

  HostOperationsTest() {
    DiscoModule disco = new DiscoModule();
    context.install(disco, new AdminModule(disco)).answerRequests();
    context.account(ROMEO.toString());
    context.account(JULIET.toString());
    context.stores().administration().online.add(ROMEO);
  }

  private Outcome<NoticeOperations.Announced> announce(Audience audience, boolean dryRun) {
    return operations.run(
        TestOperations.OWNER,
        NoticeOperations.ANNOUNCE,
        new Announcement(HOST, "Soon.", audience, dryRun));
  }

  private static Outcome<NoticeOperations.Announced> accounts(int count) {
    return Outcome.done(new NoticeOperations.Announced(count));
  }

  @Test
  void anAnnouncementReachesThoseWhoAreOnlineOrAll() {
    assertThat(announce(Audience.ONLINE, true)).isEqualTo(accounts(1));
    assertThat(announce(Audience.ALL, true)).isEqualTo(accounts(2));
    assertThat(context.takeSent()).isEmpty();
    assertThat(announce(Audience.ONLINE, false)).isEqualTo(accounts(1));
    assertThat(context.takeSent())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.to()).isEqualTo(ROMEO);
          assertThat(((Message) each).type()).isEqualTo(Message.Type.HEADLINE);
        });
    assertThat(announce(Audience.ALL, false)).isInstanceOf(Outcome.Started.class);
    List<Stanza> sent = context.takeSent();
    assertThat(sent).extracting(Stanza::to).containsExactly(JULIET, ROMEO);
    assertThat(((Message) sent.getFirst()).type())
        .as("it waits for those who are offline")
        .isEqualTo(Message.Type.NORMAL);
    assertThat(operations.jobs()).containsExactly("The announcement was sent to 2 accounts.");
    assertThat(
            operations.refused(
                NoticeOperations.ANNOUNCE, new Announcement(HOST, " \n", Audience.ALL, false)))
        .isEqualTo(Reason.INVALID);
  }

  private Shown motd() {
    return operations.done(NoticeOperations.SHOW_MOTD, new NoticeOperations.Chosen(HOST));
  }

  private void setMotd(String text, boolean edit) {
    operations.done(NoticeOperations.SET_MOTD, new NoticeOperations.Text(HOST, text, edit));
  }

  @Test
  void aCorrectedMessageOfTheDayIsNotSentAgain() {
    assertThat(motd()).isEqualTo(new Shown(null, null));
    Instant now = context.clock().instant();
    setMotd("Tea.", false);
    assertThat(motd()).isEqualTo(new Shown("Tea.", now));
    assertThat(context.takeSent()).hasSize(1);
    context.clock().advance(Duration.ofMinutes(1));
    setMotd("Coffee.", true);
    assertThat(motd()).isEqualTo(new Shown("Coffee.", now));
    assertThat(context.takeSent()).isEmpty();
    setMotd("Water.", false);
    assertThat(motd().since()).isEqualTo(now.plusSeconds(60));
    operations.done(NoticeOperations.REMOVE_MOTD, new NoticeOperations.Chosen(HOST));
    assertThat(motd()).isEqualTo(new Shown(null, null));
    assertThat(operations.changes())
        .containsExactly(
            "motd: null -> Tea.",
            "motd: Tea. -> Coffee.",
            "motd: Coffee. -> Water.",
            "motd: Water. -> null");
  }

  @Test
  void theWelcomeMessageIsSetAndRemoved() {
    operations.done(NoticeOperations.SET_WELCOME, new NoticeOperations.Welcome(HOST, "Hello."));
    NoticeOperations.Chosen host = new NoticeOperations.Chosen(HOST);
    assertThat(operations.done(NoticeOperations.SHOW_WELCOME, host).text()).isEqualTo("Hello.");
    operations.done(NoticeOperations.REMOVE_WELCOME, host);
    assertThat(operations.done(NoticeOperations.SHOW_WELCOME, host).text()).isNull();
  }

  // ---- lists

  @Test
  void accessListsAreChangedByWhatIsAddedAndRemoved() {
    AccessOperations.Lists lists =
        operations.done(
            AccessOperations.CHANGE,
            new Change(HOST, Kind.BLACKLIST, List.of(SPAM, ROMEO), List.of()));
    assertThat(lists.blacklist()).containsExactly(SPAM, ROMEO);
    lists =
        operations.done(
            AccessOperations.CHANGE, new Change(HOST, Kind.BLACKLIST, List.of(), List.of(ROMEO)));
    assertThat(lists).isEqualTo(new AccessOperations.Lists(List.of(SPAM), List.of()));
    lists =
        operations.done(
            AccessOperations.CHANGE, new Change(HOST, Kind.WHITELIST, List.of(JULIET), List.of()));
    assertThat(lists).isEqualTo(new AccessOperations.Lists(List.of(SPAM), List.of(JULIET)));
    assertThat(
            operations.refused(
                AccessOperations.CHANGE,
                new Change(HOST, Kind.BLACKLIST, List.of(Jid.of(HOST)), List.of())))
        .isEqualTo(Reason.CONFLICT);
    assertThat(operations.changes())
        .contains("blacklist: romeo@example.org spam.example -> spam.example");
  }

  @Test
  void administratorsAreAppointedByThoseWhoHaveTheirRights() {
    Appointed wanted = new Appointed(HOST, List.of(ROMEO));
    Caller limited =
        new Caller(
            "token",
            Caller.Via.API,
            null,
            new Grant(Role.HOST_ADMIN, Set.of(HOST), Set.of(Right.ACCOUNTS)));
    assertThat(operations.run(limited, AccessOperations.SET_ADMINISTRATORS, wanted))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(operations.done(AccessOperations.SET_ADMINISTRATORS, wanted).administrators())
        .containsExactly(ROMEO);
    for (String wrong : List.of("nobody@example.org", "example.org", "romeo@example.org/x")) {
      assertThat(
              operations.run(
                  TestOperations.OWNER,
                  AccessOperations.SET_ADMINISTRATORS,
                  new Appointed(HOST, List.of(Jid.of(wrong)))))
          .as(wrong)
          .isInstanceOf(Outcome.Refused.class);
    }
    assertThat(
            operations
                .done(AccessOperations.LIST_ADMINISTRATORS, new AccessOperations.Chosen(HOST))
                .administrators())
        .containsExactly(ROMEO);
  }
}
