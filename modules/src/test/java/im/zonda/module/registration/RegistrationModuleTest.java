package im.zonda.module.registration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestRegistration;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestStranger;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.StoreException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class RegistrationModuleTest {
  private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();
  private static final Jid BILL = Jid.of("bill@example.org");

  private final TestContext context = new TestContext().config(config(true)).install(module());

  private static RegistrationModule module() {
    PresenceModule presence = new PresenceModule(new RosterModule());
    return new RegistrationModule(
        new InvitationModule(new AdminModule(new DiscoModule()), presence));
  }

  @Test
  void aStrangerMakesAnAccountAndItsPasswordWorks() {
    assertThat(stranger("get", ""))
        .isEqualTo(
            IqReply.result(
                TestXml.element(
                    "<query xmlns='jabber:iq:register'>"
                        + "<instructions>Choose a username and a password.</instructions>"
                        + "<username/><password/>"
                        + "<x xmlns='jabber:x:data' type='form'><instructions>Choose a username and a password.</instructions>"
                        + "<field type='hidden' var='FORM_TYPE'><value>jabber:iq:register</value></field>"
                        + "<field type='text-single' var='username' label='Username'><required/></field>"
                        + "<field type='text-private' var='password' label='Password'><required/></field></x>"
                        + "</query>")));
    assertThat(register("bill", "Calliope")).isEqualTo(IqReply.empty());
    assertThat(password(BILL)).isEqualTo("Calliope");
  }

  @Test
  void theCompletedFormMakesAnAccount() {
    String fields = field("username", "bill") + field("password", "Calliope");
    assertThat(submit(field("FORM_TYPE", "jabber:iq:register") + fields))
        .isEqualTo(IqReply.empty());
    assertThat(password(BILL)).isEqualTo("Calliope");
    assertThat(condition(submit(fields))).isEqualTo(ErrorCondition.CONFLICT);
  }

  @ParameterizedTest
  @CsvSource({"bill,", ",Calliope", ",", "a@b,Calliope"})
  void anIncompleteFormMakesNoAccount(@Nullable String username, @Nullable String password) {
    String fields = username == null ? "" : field("username", username);
    fields += password == null ? "" : field("password", password);
    assertThat(condition(submit(fields))).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(context.stores().accounts().count("example.org")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<x xmlns='jabber:x:data' type='cancel'/>",
        "<x xmlns='jabber:x:data' type='form'>%s</x>",
        "<x xmlns='jabber:x:data'>%s</x>",
        "<x xmlns='jabber:x:data' type='submit'>%s%s</x>",
        "<x xmlns='jabber:x:data' type='submit'>%s</x><username>bill</username>",
        "<x xmlns='jabber:x:data' type='submit'>%s</x><password>other</password>",
        "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'>"
            + "<value>jabber:iq:register:cancel</value></field>%s</x>"
      })
  void whatIsNotTheCompletedFormIsABadRequest(String form) {
    String fields = field("username", "bill") + field("password", "Calliope");
    assertThat(condition(stranger("set", form.replace("%s", fields))))
        .isEqualTo(ErrorCondition.BAD_REQUEST);
    assertThat(context.stores().accounts().count("example.org")).isZero();
  }

  @Test
  void aNameThatIsTakenIsAConflict() {
    register("bill", "Calliope");
    assertThat(condition(register("BILL", "other"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(password(BILL)).isEqualTo("Calliope");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<username/><password>x</password>",
        "<username>a b</username><password>x</password>",
        "<username>bill@example.org</username><password>x</password>",
        "<username>bill/globe</username><password>x</password>",
        "<username>bill&#10;admin</username><password>x</password>",
        "<username>bill</username><password/>",
        "<username>bill</username>",
        "<password>x</password>",
        ""
      })
  void whatIsNotAcceptableMakesNoAccount(String fields) {
    assertThat(condition(stranger("set", fields))).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(context.stores().accounts().count("example.org")).isZero();
  }

  @Test
  void aNameOrPasswordThatIsTooLongMakesNoAccount() {
    assertThat(condition(register("b".repeat(1_024), "x")))
        .isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(condition(register("bill", "x".repeat(TestRegistration.MAX_LENGTH + 1))))
        .isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(context.stores().accounts().count("example.org")).isZero();
  }

  @Test
  void aStrangerRemovesNothing() {
    assertThat(condition(stranger("set", "<remove/>")))
        .isEqualTo(ErrorCondition.UNEXPECTED_REQUEST);
  }

  @Test
  void row82RegistrationIsOffUnlessConfigured() {
    TestContext off = new TestContext().config(config(false)).install(module());
    assertThat(off.host().streamFeaturesBeforeAuthentication()).isEmpty();
    assertThat(off.askUnauthenticated(iq("get", ""), new TestStranger(ADDRESS)))
        .isInstanceOf(IqReply.Refuse.class);
    assertThat(context.host().streamFeaturesBeforeAuthentication())
        .containsExactly(
            TestXml.element("<register xmlns='http://jabber.org/features/iq-register'/>"));
  }

  @Test
  void row82AnAddressMakesSoManyAccountsAnHour() {
    assertThat(register("bill0", "x")).isEqualTo(IqReply.empty());
    // A name that is taken does not use the budget up.
    assertThat(condition(register("bill0", "x"))).isEqualTo(ErrorCondition.CONFLICT);
    assertThat(register("bill1", "x")).isEqualTo(IqReply.empty());
    assertThat(condition(register("bill2", "x"))).isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(context.stores().accounts().count("example.org")).isEqualTo(2);
  }

  @Test
  void aStoreThatFailsCostsNoBudget() {
    context.stores().fail(StoreException.Category.FULL);
    for (int i = 0; i < 3; i++) {
      try {
        assertThat(register("bill", "x")).isNull();
      } catch (StoreException e) {
        assertThat(e.category()).isEqualTo(StoreException.Category.FULL);
      }
    }
    context.stores().fail(null);
    assertThat(register("bill", "x")).isEqualTo(IqReply.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "to='example.org'", "to='bill@example.org'"})
  void theOwnerIsToldAndChangesThePassword(String to) {
    register("bill", "Calliope");
    TestSession bill = context.bind("bill@example.org/globe");
    assertThat(context.ask(bill, iq("get", "", to)))
        .isEqualTo(
            IqReply.result(
                TestXml.element(
                    "<query xmlns='jabber:iq:register'><registered/><username>bill</username>"
                        + "<password/></query>")));
    String change = "<username>bill</username><password>newpass</password>";
    assertThat(context.ask(bill, iq("set", change, to))).isEqualTo(IqReply.empty());
    assertThat(password(BILL)).isEqualTo("newpass");
  }

  @ParameterizedTest
  @ValueSource(strings = {"juliet", "nobody", "bill@example.org", "", "a b"})
  void row47NobodyChangesThePasswordOfAnotherAccount(String username) {
    register("juliet", "hers");
    register("bill", "his");
    TestSession bill = context.bind("bill@example.org/globe");
    String change = "<username>" + username + "</username><password>mine</password>";
    for (String to : List.of("", "to='example.org'")) {
      assertThat(condition(context.ask(bill, iq("set", change, to))))
          .isEqualTo(ErrorCondition.NOT_ALLOWED);
    }
    assertThat(condition(context.ask(bill, iq("set", change, "to='juliet@example.org'"))))
        .isEqualTo(ErrorCondition.SERVICE_UNAVAILABLE);
    assertThat(password(Jid.of("juliet@example.org"))).isEqualTo("hers");
    assertThat(password(BILL)).isEqualTo("his");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<username>bill</username>",
        "<username>bill</username><password/>",
        "<password>new</password>",
        ""
      })
  void aPasswordIsNeverChangedToNothing(String fields) {
    register("bill", "Calliope");
    TestSession bill = context.bind("bill@example.org/globe");
    assertThat(condition(context.ask(bill, iq("set", fields))))
        .isEqualTo(ErrorCondition.BAD_REQUEST);
    assertThat(password(BILL)).isEqualTo("Calliope");
  }

  @Test
  void row61AnAccountOfAnotherHostHasNothingToChangeHere() {
    TestSession stranger = context.bind("bill@other.example/globe");
    assertThat(condition(context.ask(stranger, iq("set", "<remove/>", "to='example.org'"))))
        .isEqualTo(ErrorCondition.REGISTRATION_REQUIRED);
    assertThat(condition(context.ask(stranger, iq("get", "", "to='example.org'"))))
        .isEqualTo(ErrorCondition.REGISTRATION_REQUIRED);
    assertThat(context.stores().accounts().count("other.example")).isEqualTo(1);
  }

  @Test
  void theOwnerRemovesTheAccount() {
    TestSession bill = context.bind("bill@example.org/globe");
    IqReply reply = context.ask(bill, iq("set", "<remove/>"));
    assertThat(reply).isEqualTo(IqReply.later());
    assertThat(bill.received())
        .hasSize(1)
        .first()
        .isInstanceOfSatisfying(
            Iq.class,
            iq -> {
              assertThat(iq.type()).isEqualTo(Iq.Type.RESULT);
              assertThat(iq.id()).isEqualTo("r1");
            });
    assertThat(context.stores().accounts().find(BILL)).isNull();
    assertThat(context.forgotten()).containsExactly(BILL);
  }

  @Test
  void removeComesAlone() {
    TestSession bill = context.bind("bill@example.org/globe");
    assertThat(condition(context.ask(bill, iq("set", "<remove/><username>bill</username>"))))
        .isEqualTo(ErrorCondition.BAD_REQUEST);
    assertThat(context.stores().accounts().find(BILL)).isNotNull();
  }

  @Test
  void aStoreThatFailsRemovesNothingAndEndsNothing() {
    TestSession bill = context.bind("bill@example.org/globe");
    context.stores().fail(StoreException.Category.UNAVAILABLE);
    try {
      assertThat(context.ask(bill, iq("set", "<remove/>"))).isNull();
    } catch (StoreException e) {
      assertThat(e.retryable()).isTrue();
    }
    assertThat(context.forgotten()).isEmpty();
    assertThat(bill.received()).isEmpty();
  }

  @Test
  void row97NoPasswordReachesTheLog() {
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    root.addAppender(events);
    try {
      register("bill", "s3cret&#10;");
      register("bill", "s3cret");
      register("bill", "s3cret");
      TestSession bill = context.bind("bill@example.org/globe");
      String change = "<username>bill</username><password>s3cret2</password>";
      context.ask(bill, iq("set", change));
    } finally {
      root.detachAppender(events);
    }
    assertThat(events.list)
        .extracting(ILoggingEvent::getMessage)
        .containsExactly("account_registered", "password_changed");
    assertThat(events.list)
        .noneMatch(event -> event.getKeyValuePairs().toString().contains("s3cret"));
  }

  private @Nullable String password(Jid account) {
    return context.stores().registration().password(account);
  }

  private IqReply register(String username, String password) {
    return stranger(
        "set", "<username>%s</username><password>%s</password>".formatted(username, password));
  }

  private IqReply submit(String fields) {
    return stranger("set", "<x xmlns='jabber:x:data' type='submit'>" + fields + "</x>");
  }

  private static String field(String name, String value) {
    return "<field var='" + name + "'><value>" + value + "</value></field>";
  }

  private IqReply stranger(String type, String fields) {
    return context.askUnauthenticated(iq(type, fields), new TestStranger(ADDRESS));
  }

  private static Iq iq(String type, String fields) {
    return iq(type, fields, "");
  }

  private static Iq iq(String type, String fields, String to) {
    return TestXml.iq(
        "<iq type='%s' id='r1' %s><query xmlns='jabber:iq:register'>%s</query></iq>"
            .formatted(type, to, fields));
  }

  private static ErrorCondition condition(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    return ((IqReply.Refuse) reply).error().condition();
  }

  private static ServerConfig config(boolean enabled) {
    return config(new ServerConfig.Registration(enabled, 2));
  }

  /// The defaults with other settings of registration.
  static ServerConfig config(ServerConfig.Registration registration) {
    ServerConfig d = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    return RecordCopy.with(d, "registration", registration);
  }
}
