package im.zonda.module.commands;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.commands.CommandSessions.Bounds;
import im.zonda.module.forms.DataForm;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CommandTableTest {
  private static final Jid HOST = Jid.of("example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.org/orchard");
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final Duration TIME = Duration.ofMinutes(1);

  private final TestContext context = new TestContext();
  private final CommandSessions sessions = new CommandSessions(() -> new Bounds(2, TIME));
  private final CommandTable table = new CommandTable(context, sessions);
  private final List<CommandStage> later = new ArrayList<>();

  CommandTableTest() {
    table.add(new Command("config", "Configure Service", jid -> true, CommandTableTest::configure));
    table.add(new Command("slow", "Slow", jid -> true, later::add));
    table.add(
        new Command(
            "broken",
            "Broken",
            jid -> true,
            stage -> {
              throw new IllegalArgumentException("a defect");
            }));
  }

  /// Two stages: which service, and its state.
  private static void configure(CommandStage stage) {
    switch (stage.forms().size()) {
      case 0 -> stage.askNext(form("service"));
      case 1 -> {
        if (value(stage, 0, "service").isEmpty()) {
          stage.fail("which service?");
        } else {
          stage.ask(form("state"));
        }
      }
      default ->
          stage.complete(List.of(), value(stage, 0, "service") + " is " + value(stage, 1, "state"));
    }
  }

  private static DataForm form(String field) {
    return DataForm.builder("form", "x:config").text(field, field, null).build();
  }

  private static String value(CommandStage stage, int form, String name) {
    DataForm.Field field = stage.forms().get(form).field(name);
    return field == null ? "" : String.valueOf(field.value());
  }

  private IqReply run(Jid from, String node, String attributes, String payload) {
    Iq iq =
        TestXml.iq(
                "<iq type='set' id='c' to='example.org'><command xmlns='"
                    + CommandXml.NAMESPACE
                    + "' node='"
                    + node
                    + "' "
                    + attributes
                    + ">"
                    + payload
                    + "</command></iq>")
            .withAddresses(from, HOST);
    return table.run(iq, Objects.requireNonNull(iq.payload()), HOST);
  }

  private static String submit(String field, String value) {
    return "<x xmlns='jabber:x:data' type='submit'><field var='"
        + field
        + "'><value>"
        + value
        + "</value></field></x>";
  }

  private static Element command(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  private String begin(Jid from, String node) {
    return Objects.requireNonNull(command(run(from, node, "", "")).attribute("sessionid"));
  }

  private static String detail(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    return ((IqReply.Refuse) reply).error().toElement().toString();
  }

  private static void refused(IqReply reply, ErrorCondition condition) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    assertThat(((IqReply.Refuse) reply).error().condition()).isEqualTo(condition);
  }

  private static String session(String id, String action) {
    return "sessionid='" + id + "'" + (action.isEmpty() ? "" : " action='" + action + "'");
  }

  private static List<String> actions(IqReply reply) {
    return Objects.requireNonNull(command(reply).child("actions")).children().stream()
        .map(each -> each.name().name())
        .toList();
  }

  // ---- several stages (section 3.4.2)

  @Test
  void stagesFollowEachOther() {
    String id = begin(ROMEO, "config");
    IqReply second = run(ROMEO, "config", session(id, ""), submit("service", "httpd"));
    assertThat(actions(second)).containsExactly("prev", "complete");
    assertThat(Objects.requireNonNull(command(second).child("actions")).attribute("execute"))
        .isEqualTo("complete");
    IqReply last = run(ROMEO, "config", session(id, "complete"), submit("state", "on"));
    Expect.result(
        last,
        "<command xmlns='"
            + CommandXml.NAMESPACE
            + "' node='config' sessionid='"
            + id
            + "' status='completed'><note type='info'>httpd is on</note></command>");
    assertThat(sessions.size()).isZero();
  }

  @Test
  void aStageIsRevertedAndTakenAgain() {
    String id = begin(ROMEO, "config");
    run(ROMEO, "config", session(id, "next"), submit("service", "httpd"));
    assertThat(actions(run(ROMEO, "config", session(id, "prev"), ""))).containsExactly("next");
    run(ROMEO, "config", session(id, "next"), submit("service", "smtpd"));
    Element done = command(run(ROMEO, "config", session(id, ""), submit("state", "off")));
    assertThat(Objects.requireNonNull(done.child("note")).text()).isEqualTo("smtpd is off");
  }

  @Test
  void aCommandThatCannotBeDoneCompletesWithTheReason() {
    String id = begin(ROMEO, "config");
    Expect.result(
        run(ROMEO, "config", session(id, ""), submit("other", "x")),
        "<command xmlns='"
            + CommandXml.NAMESPACE
            + "' node='config' sessionid='"
            + id
            + "' status='completed'><note type='error'>which service?</note></command>");
    assertThat(sessions.size()).isZero();
  }

  @Test
  void aFormThatIsTooLongIsRejectedAndTheSessionGoesOn() {
    String id = begin(ROMEO, "config");
    String most = "x".repeat(CommandTable.MOST_CHARS);
    assertThat(detail(run(ROMEO, "config", session(id, ""), submit("service", most + "x"))))
        .contains("bad-payload");
    assertThat(actions(run(ROMEO, "config", session(id, ""), submit("service", most))))
        .containsExactly("prev", "complete");
  }

  @Test
  void onlyWhatIsAllowedCanBeDone() {
    String id = begin(ROMEO, "config");
    for (String action : List.of("complete", "prev")) {
      assertThat(detail(run(ROMEO, "config", session(id, action), submit("service", "x"))))
          .contains("bad-action");
    }
    assertThat(detail(run(ROMEO, "config", "action='prev'", ""))).contains("bad-action");
    assertThat(detail(run(ROMEO, "config", "action='cancel'", ""))).contains("bad-action");
  }

  // ---- answers that come later, and defects

  @Test
  void anAnswerThatComesLaterIsSent() {
    assertThat(run(ROMEO, "slow", "", "")).isInstanceOf(IqReply.Later.class);
    later.getFirst().complete();
    later.getFirst().complete(); // an answer is given once
    assertThat(context.takeSent())
        .singleElement()
        .satisfies(answer -> {
          assertThat(answer.to()).isEqualTo(ROMEO);
          assertThat(answer.from()).isEqualTo(HOST);
          assertThat(answer.toString()).contains("completed");
        });
  }

  @Test
  void aStageThatIsNotAnsweredTakesNoOther() {
    run(ROMEO, "slow", "", "");
    later.getFirst().ask(form("a"));
    Stanza asked = context.takeSent().getFirst();
    String id =
        Objects.requireNonNull(
            Objects.requireNonNull(((Iq) asked).payload()).attribute("sessionid"));
    assertThat(run(ROMEO, "slow", session(id, ""), submit("a", "1")))
        .isInstanceOf(IqReply.Later.class);
    refused(
        run(ROMEO, "slow", session(id, ""), submit("a", "1")), ErrorCondition.UNEXPECTED_REQUEST);
  }

  @Test
  void aDefectIsAnErrorAndEndsTheSession() {
    refused(run(ROMEO, "broken", "", ""), ErrorCondition.INTERNAL_SERVER_ERROR);
    assertThat(sessions.size()).isZero();
  }

  // ---- bounds

  @Test
  void theOldestSessionOfAnAccountMakesRoom() {
    String oldest = begin(ROMEO, "config");
    begin(ROMEO, "config");
    begin(ROMEO, "config");
    assertThat(detail(run(ROMEO, "config", session(oldest, ""), submit("service", "x"))))
        .contains("session-expired");
    assertThat(sessions.size()).isEqualTo(2);
  }

  @Test
  void whoHasMostSessionsPaysForTheBoundOfAll() {
    CommandSessions many = new CommandSessions(() -> new Bounds(10_000, TIME));
    many.start("mine", JULIET, HOST, "config", context.clock().instant());
    for (int i = 0; i < CommandSessions.MOST + 10; i++) {
      many.start("s" + i, ROMEO, HOST, "config", context.clock().instant());
    }
    assertThat(many.size()).isEqualTo(CommandSessions.MOST);
    assertThat(many.find("mine", context.clock().instant())).isNotNull();
    assertThat(many.find("s0", context.clock().instant())).isNull();
  }

  @Test
  void aSessionEndsWithItsTimeUnlessItIsUsed() {
    String id = begin(ROMEO, "config");
    context.clock().advance(TIME.minusSeconds(1));
    run(ROMEO, "config", session(id, ""), submit("service", "httpd"));
    context.clock().advance(TIME.minusSeconds(1));
    assertThat(actions(run(ROMEO, "config", session(id, "prev"), ""))).containsExactly("next");
    context.clock().advance(TIME);
    assertThat(detail(run(ROMEO, "config", session(id, ""), ""))).contains("session-expired");
  }

  @Test
  void aSessionIsForOneRequesterAndOneCommand() {
    String id = begin(ROMEO, "config");
    assertThat(detail(run(JULIET, "config", session(id, "cancel"), ""))).contains("bad-sessionid");
    assertThat(detail(run(ROMEO, "slow", session(id, "cancel"), ""))).contains("bad-sessionid");
    assertThat(detail(run(ROMEO, "config", session("guess", ""), ""))).contains("bad-sessionid");
    assertThat(command(run(ROMEO, "config", session(id, "cancel"), "")).attribute("status"))
        .isEqualTo("canceled");
  }
}
