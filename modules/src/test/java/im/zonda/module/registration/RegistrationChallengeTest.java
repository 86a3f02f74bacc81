package im.zonda.module.registration;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig.Registration;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.forms.DataForm;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestStranger;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationChallengeTest {
  private static final Jid BILL = Jid.of("bill@example.org");

  private final TestContext context =
      new TestContext()
          .config(
              RegistrationModuleTest.config(
                  new Registration(
                      true, 2, "Type the color of a stop light", List.of("Red", "dark red"), 8)))
          .install(
              new RegistrationModule(
                  new InvitationModule(
                      new AdminModule(new DiscoModule()), new PresenceModule(new RosterModule()))));
  private final TestStranger client = new TestStranger(InetAddress.getLoopbackAddress());

  @Test
  void theQuestionIsInTheFormAndTheOldFieldsAreNotOffered() {
    IqReply.Result reply = (IqReply.Result) get("reg1");
    String id = challengeOf(reply);
    assertThat(reply)
        .isEqualTo(
            IqReply.result(
                TestXml.element(
                    "<query xmlns='jabber:iq:register'>"
                        + "<instructions>Choose a username and a password, and answer the question."
                        + "</instructions>"
                        + "<x xmlns='jabber:x:data' type='form'>"
                        + "<instructions>Choose a username and a password, and answer the question."
                        + "</instructions>"
                        + "<field type='hidden' var='FORM_TYPE'>"
                        + "<value>jabber:iq:register</value></field>"
                        + "<field type='hidden' var='challenge'><value>"
                        + id
                        + "</value></field>"
                        + "<field type='hidden' var='sid'><value>reg1</value></field>"
                        + "<field type='text-single' var='qa'"
                        + " label='Type the color of a stop light'><required/></field>"
                        + "<field type='text-single' var='username' label='Username'><required/>"
                        + "</field><field type='text-private' var='password' label='Password'>"
                        + "<required/></field></x></query>")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"red", " RED ", "Dark  Red", "\uff32\uff45\uff44"})
  void theRightAnswerMakesAnAccount(String answer) {
    assertThat(submit(challenge(), answer)).isEqualTo(IqReply.empty());
    assertThat(context.stores().accounts().find(BILL)).isNotNull();
    assertThat(condition(submit("none", answer))).isEqualTo(ErrorCondition.SERVICE_UNAVAILABLE);
  }

  @Test
  void aWrongAnswerMakesNoAccountAndTheNextWaits() {
    String id = challenge();
    IqReply wrong = submit(id, "green");
    assertThat(wrong)
        .isEqualTo(
            new IqReply.Refuse(
                new StanzaError(
                    ErrorCondition.NOT_ACCEPTABLE,
                    ErrorType.CANCEL,
                    "The answer is wrong.",
                    null)));
    assertThat(condition(submit(id, "red"))).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(context.stores().accounts().count("example.org")).isZero();
    context.clock().advance(Duration.ofSeconds(1));
    assertThat(submit(id, "red")).isEqualTo(IqReply.empty());
  }

  @Test
  void row82AnotherStreamOfTheAddressWaitsToo() {
    submit(challenge(), "green");
    TestStranger other = new TestStranger(client.address());
    String id = challengeOf(get("r", other));
    assertThat(condition(submit(id, "red", other))).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
  }

  @Test
  void row82AWrongAnswerDoesNotRevealWhetherANameIsTaken() {
    submit(challenge(), "red");
    TestStranger other = new TestStranger(client.address());
    String id = challengeOf(get("r", other));
    assertThat(condition(submit(id, "green", other))).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
  }

  @Test
  void aNameThatIsTakenLeavesTheChallenge() {
    submit(challenge(), "red");
    String id = challenge();
    assertThat(condition(submit(id, "red"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(condition(submit(id, "red"))).isEqualTo(ErrorCondition.CONFLICT);
  }

  @Test
  void theChallengeOfAnotherStreamAndTheOneBeforeAreNotKnown() {
    String foreign = challengeOf(get("r", new TestStranger(client.address())));
    assertThat(condition(submit(foreign, "red"))).isEqualTo(ErrorCondition.SERVICE_UNAVAILABLE);
    String before = challenge();
    challenge();
    assertThat(condition(submit(before, "red"))).isEqualTo(ErrorCondition.SERVICE_UNAVAILABLE);
    assertThat(context.stores().accounts().count("example.org")).isZero();
  }

  @Test
  void theOldFieldsDoNotGoAroundTheQuestion() {
    challenge();
    String fields = "<username>bill</username><password>Calliope</password>";
    assertThat(condition(send("set", "r2", fields, client)))
        .isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(context.stores().accounts().count("example.org")).isZero();
  }

  private String challenge() {
    return challengeOf(get("reg1"));
  }

  private IqReply get(String id) {
    return get(id, client);
  }

  private IqReply get(String id, TestStranger stranger) {
    return send("get", id, "", stranger);
  }

  private IqReply submit(String challenge, String answer) {
    return submit(challenge, answer, client);
  }

  private IqReply submit(String challenge, String answer, TestStranger stranger) {
    return send(
        "set",
        "reg2",
        "<x xmlns='jabber:x:data' type='submit'>"
            + field("FORM_TYPE", "jabber:iq:register")
            + field("challenge", challenge)
            + field("sid", "reg1")
            + field("qa", answer)
            + field("username", "bill")
            + field("password", "Calliope")
            + "</x>",
        stranger);
  }

  private static String field(String name, String value) {
    return "<field var='" + name + "'><value>" + value + "</value></field>";
  }

  private IqReply send(String type, String id, String fields, TestStranger stranger) {
    return context.askUnauthenticated(
        TestXml.iq(
            "<iq type='%s' id='%s'><query xmlns='jabber:iq:register'>%s</query></iq>"
                .formatted(type, id, fields)),
        stranger);
  }

  private static String challengeOf(IqReply reply) {
    Element query = Objects.requireNonNull(((IqReply.Result) reply).payload());
    DataForm form = Objects.requireNonNull(DataForm.of(query.child(DataForm.X)));
    return Objects.requireNonNull(Objects.requireNonNull(form.field("challenge")).value());
  }

  private static ErrorCondition condition(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    return ((IqReply.Refuse) reply).error().condition();
  }
}
