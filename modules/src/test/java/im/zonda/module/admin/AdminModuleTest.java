package im.zonda.module.admin;

import static im.zonda.module.testing.Expect.failedCommand;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Administration;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.module.admin.home.HostSettings;
import im.zonda.module.admin.operation.ReportOperations;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.forms.DataForm;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminModuleTest {
  private static final String COMMANDS = "http://jabber.org/protocol/commands";
  private static final String ADMIN = "http://jabber.org/protocol/admin";
  private static final Jid HOST = Jid.of("example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final int REPORTS = 3;

  private final AdminModule module;
  private final List<String> stops = new ArrayList<>();
  private final TestContext context;
  private final TestSession bard;
  private final TestSession romeo;

  AdminModuleTest() {
    DiscoModule disco = new DiscoModule();
    module = new AdminModule(disco);
    Administration administration =
        new Administration(List.of("bard@example.org"), 10, Duration.ofMinutes(10), REPORTS);
    ServerConfig.Host host =
        new ServerConfig.Host(
            null, null, null, Services.DEFAULTS.with(administration), null, null, null, null);
    ServerConfig config = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    context = new TestContext();
    context.config(config.withHosts(Map.of("example.org", host)).at("example.org"));
    context.install(disco, module);
    bard = context.bind("bard@example.org/globe");
    romeo = context.bind("romeo@example.org/orchard");
  }

  // ---- requests

  private IqReply ask(TestSession session, String type, String to, String payload) {
    return context.ask(
        session, TestXml.iq("<iq type='%s' id='i' to='%s'>%s</iq>".formatted(type, to, payload)));
  }

  private IqReply command(TestSession session, String name, String attributes, String payload) {
    return ask(
        session,
        "set",
        "example.org",
        "<command xmlns='%s' node='%s' %s>%s</command>"
            .formatted(COMMANDS, node(name), attributes, payload));
  }

  private static String node(String name) {
    return name.contains(":") ? name : ADMIN + "#" + name;
  }

  private static Element result(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  private static ErrorCondition condition(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    return ((IqReply.Refuse) reply).error().condition();
  }

  /// Runs a command with one field that has these values.
  private IqReply submit(TestSession session, String name, String field, String... values) {
    Element first = result(command(session, name, "", ""));
    StringBuilder form = new StringBuilder("<x xmlns='jabber:x:data' type='submit'>");
    form.append("<field var='FORM_TYPE'><value>").append(ADMIN).append("</value></field>");
    form.append("<field var='").append(field).append("'>");
    for (String value : values) {
      form.append("<value>").append(value).append("</value>");
    }
    form.append("</field></x>");
    String sessionId = "sessionid='" + first.attribute("sessionid") + "'";
    return command(session, name, sessionId, form.toString());
  }

  private static List<String> values(Element command, String field) {
    Element form = Objects.requireNonNull(command.child(DataForm.X));
    return form.children().stream()
        .filter(each -> field.equals(each.attribute("var")))
        .flatMap(each -> each.children().stream())
        .map(Element::text)
        .toList();
  }

  private List<String> nodes(String address) {
    String query =
        "<query xmlns='http://jabber.org/protocol/disco#items' node='" + COMMANDS + "'/>";
    return result(ask(bard, "get", address, query)).children().stream()
        .map(each -> Objects.requireNonNull(each.attribute("node")))
        .toList();
  }

  // ---- who may run commands

  @Test
  void onlyAdministratorsRunCommands() {
    List<String> nodes = nodes("example.org");
    assertThat(nodes).hasSizeGreaterThan(25).doesNotHaveDuplicates();
    for (String node : nodes) {
      assertThat(condition(command(romeo, node, "", "")))
          .as(node)
          .isEqualTo(ErrorCondition.FORBIDDEN);
      assertThat(command(bard, node, "", "")).as(node).isInstanceOf(IqReply.Result.class);
    }
  }

  @Test
  void administratorsFindTheCommandsAtTheirOwnAddressToo() {
    assertThat(nodes("bard@example.org")).isEqualTo(nodes("example.org"));
    String query =
        "<query xmlns='http://jabber.org/protocol/disco#items' node='" + COMMANDS + "'/>";
    assertThat(result(ask(romeo, "get", "example.org", query)).children()).isEmpty();
    assertThat(result(ask(romeo, "get", "romeo@example.org", query)).children()).isEmpty();
  }

  @Test
  void anAdministratorWhoIsTakenOffTheListRunsNothingAnyMore() {
    submit(bard, "edit-admin", "adminjids", "bard@example.org", "romeo@example.org");
    Element first = result(command(romeo, "get-user-roster", "", ""));
    submit(bard, "edit-admin", "adminjids", "bard@example.org");
    String sessionId = "sessionid='" + first.attribute("sessionid") + "'";
    assertThat(condition(command(romeo, "get-user-roster", sessionId, "")))
        .isEqualTo(ErrorCondition.FORBIDDEN);
  }

  @Test
  void aNewAccountWithTheAddressOfAFormerAdministratorIsNone() {
    AccountStore accounts = context.stores().accounts();
    Jid account = romeo.jid().bare();
    submit(bard, "edit-admin", "adminjids", "bard@example.org", "romeo@example.org");
    assertThat(command(romeo, "get-user-roster", "", "")).isInstanceOf(IqReply.Result.class);
    assertThat(accounts.remove(account)).isTrue();
    assertThat(condition(command(romeo, "get-user-roster", "", "")))
        .isEqualTo(ErrorCondition.FORBIDDEN);
    context.clock().advance(Duration.ofSeconds(1));
    accounts.create(List.of(new Account(account, List.of(), context.clock().instant())));
    assertThat(condition(command(romeo, "get-user-roster", "", "")))
        .isEqualTo(ErrorCondition.FORBIDDEN);
    submit(bard, "edit-admin", "adminjids", "bard@example.org");
    submit(bard, "edit-admin", "adminjids", "bard@example.org", "romeo@example.org");
    assertThat(command(romeo, "get-user-roster", "", "")).isInstanceOf(IqReply.Result.class);
  }

  @Test
  void administratorsOfTheConfigurationCannotBeTakenOff() {
    assertThat(failedCommand(submit(bard, "edit-admin", "adminjids", "romeo@example.org")))
        .contains("configuration file");
  }

  @Test
  void aServerThatCannotBeStoppedDoesNotOfferIt() {
    assertThat(nodes("example.org")).doesNotContain(node("restart"), node("shutdown"));
    assertThat(condition(command(bard, "restart", "", ""))).isEqualTo(ErrorCondition.FORBIDDEN);
    offerStops();
    assertThat(nodes("example.org")).contains(node("restart"), node("shutdown"));
  }

  @ParameterizedTest
  @CsvSource({"restart,server.restart", "shutdown,server.stop"})
  void theServerIsStoppedByItsOperation(String command, String operation) {
    offerStops();
    submit(bard, command, "delay", "60");
    assertThat(stops).containsExactly(operation + " after PT1M by bard@example.org");
  }

  /// When a server is stopped.
  record Stopping(@Field("how long to wait before") Duration delay) {}

  private void offerStops() {
    for (String name : List.of("server.stop", "server.restart")) {
      Operation<Stopping, Nothing> operation =
          Operation.change(name, Right.SERVER)
              .at("POST /" + name.replace('.', '/'), "Stop", Stopping.class, Nothing.class);
      context
          .operations()
          .offer(
              operation.by((call, input) -> {
                stops.add(name + " after " + input.delay() + " by " + call.caller().name());
                return Nothing.done();
              }));
    }
  }

  // ---- lists and numbers

  @ParameterizedTest
  @CsvSource({
    "get-registered-users-list,registereduserjids",
    "get-disabled-users-list,disableduserjids",
    "get-online-users-list,onlineuserjids",
  })
  void aListHasNoMoreItemsThanWanted(String command, String field) {
    for (int i = 100; i < 130; i++) {
      Jid account = context.account("a" + i + "@example.org").jid();
      context.stores().administration().online.add(account);
      context.stores().administration().disabled.add(account);
    }
    Element some = result(submit(bard, command, "max_items", "25"));
    assertThat(values(some, field)).hasSize(25).startsWith("a100@example.org");
    assertThat(some.child("note")).isNotNull();
    Element all = result(submit(bard, command, "max_items", "none"));
    assertThat(values(all, field)).hasSizeGreaterThanOrEqualTo(30);
    assertThat(all.child("note")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "99999999999"})
  void whatIsNoNumberOfItemsIsRejected(String number) {
    assertThat(failedCommand(submit(bard, "get-registered-users-list", "max_items", number)))
        .isEqualTo(number + " is not a number of items.");
  }

  // ---- accounts

  @Test
  void onlyAccountsOfTheHostAreChanged() {
    for (String account : List.of("nurse@example.net", "example.org", "no jid@", "")) {
      assertThat(failedCommand(submit(bard, "delete-user", "accountjids", account)))
          .as(account)
          .contains(account.isEmpty() ? "Enter" : account);
    }
    for (String own : List.of("bard@example.org", "bard@example.org/globe")) {
      assertThat(failedCommand(submit(bard, "delete-user", "accountjids", own)))
          .isEqualTo("This cannot be done with your own account.");
    }
    assertThat(failedCommand(submit(bard, "delete-user", "accountjids", "nobody@example.org")))
        .isEqualTo("No such account: nobody@example.org");
  }

  @Test
  void aDeletedAccountIsForgotten() {
    submit(bard, "delete-user", "accountjids", "romeo@example.org/orchard");
    assertThat(context.stores().accounts().find(romeo.jid().bare())).isNull();
    assertThat(context.forgotten()).containsExactly(romeo.jid().bare());
  }

  // ---- lists of addresses

  private boolean mayWriteTo(String to) {
    Stanza message = TestXml.stanza("<message to='" + to + "'><body>Hello</body></message>");
    boolean sends = context.sends(romeo, message) instanceof Verdict.Pass;
    Stanza answer =
        TestXml.stanza(
            "<message from='%s' to='romeo@example.org'><body>Hello</body></message>".formatted(to));
    boolean arrives = context.arrives(answer) instanceof Verdict.Pass;
    assertThat(arrives).as("both directions of " + to).isEqualTo(sends);
    return sends;
  }

  @Test
  void nothingIsExchangedWithTheBlacklist() {
    submit(bard, "edit-blacklist", "blacklistjids", "spam.example", "iago@example.net");
    assertThat(mayWriteTo("a@spam.example/x")).isFalse();
    assertThat(mayWriteTo("iago@example.net/x")).isFalse();
    assertThat(mayWriteTo("emilia@example.net")).isTrue();
    assertThat(mayWriteTo("a@not-spam.example")).isTrue();
    submit(bard, "edit-blacklist", "blacklistjids");
    assertThat(mayWriteTo("a@spam.example/x")).isTrue();
  }

  @Test
  void withAWhitelistOnlyItAndTheHostAreReached() {
    submit(bard, "edit-whitelist", "whitelistjids", "example.net");
    assertThat(mayWriteTo("emilia@example.net/x")).isTrue();
    assertThat(mayWriteTo("juliet@example.org")).isTrue();
    assertThat(mayWriteTo("coven@rooms.example.org")).isTrue();
    assertThat(mayWriteTo("a@other.example")).isFalse();
    assertThat(mayWriteTo("a@badexample.org")).isFalse();
  }

  // ---- reports of abuse

  private int forwarded(TestSession reporter) {
    Element report =
        TestXml.element(
            "<report xmlns='urn:xmpp:reporting:1' reason='urn:xmpp:reporting:spam'>"
                + "<text>Never came trouble to my house like this.</text></report>");
    context.takeSent();
    module.forwardReport(reporter.jid(), JULIET, "spam", report);
    List<Stanza> sent = context.takeSent();
    for (Stanza stanza : sent) {
      assertThat(stanza.to()).isEqualTo(bard.jid().bare());
      assertThat(stanza.from()).isEqualTo(HOST);
      assertThat(((Message) stanza).payloads()).contains(report);
    }
    return sent.size();
  }

  @Test
  void reportsAreForwardedWithinBounds() {
    for (int i = 0; i < REPORTS; i++) {
      assertThat(forwarded(romeo)).isEqualTo(1);
    }
    assertThat(forwarded(romeo)).isZero();
    assertThat(forwarded(bard)).as("of another").isEqualTo(1);
    context.clock().advance(Duration.ofHours(1));
    assertThat(forwarded(romeo)).isEqualTo(1);
  }

  private List<ReportOperations.Report> reports() {
    return context
        .operations()
        .done(ReportOperations.LIST, new ReportOperations.Wanted("example.org", null, null, 500))
        .reports();
  }

  @Test
  void reportsWaitUntilTheyAreClosed() {
    forwarded(romeo);
    forwarded(bard);
    List<ReportOperations.Report> waiting = reports();
    assertThat(waiting)
        .extracting(ReportOperations.Report::reporter)
        .containsExactlyInAnyOrder(romeo.jid().bare(), bard.jid().bare());
    ReportOperations.Report first = waiting.getFirst();
    assertThat(first.time()).isEqualTo(context.clock().instant());
    assertThat(first.reported()).isEqualTo(JULIET);
    assertThat(first.reason()).isEqualTo("spam");
    assertThat(first.text()).isEqualTo("Never came trouble to my house like this.");
    ReportOperations.Chosen chosen = new ReportOperations.Chosen("example.org", first.report());
    context.operations().done(ReportOperations.CLOSE, chosen);
    assertThat(reports()).containsExactly(waiting.getLast());
    assertThat(context.operations().refused(ReportOperations.CLOSE, chosen))
        .isEqualTo(Outcome.Reason.NOT_FOUND);
    context.clock().advance(Duration.ofDays(90));
    assertThat(reports()).isEmpty();
    forwarded(romeo);
    assertThat(context.stores().keyValues(AdminModule.REPORTS).all(HOST))
        .as("old ones are erased")
        .hasSize(1);
  }

  @Test
  void theNextOwnerOfAnAddressIsNotTheOneWhoWasReported() {
    AccountStore accounts = context.stores().accounts();
    accounts.create(List.of(new Account(JULIET, List.of(), context.clock().instant())));
    forwarded(romeo);
    assertThat(reports()).extracting(ReportOperations.Report::former).containsExactly(false);
    accounts.remove(JULIET);
    assertThat(reports()).extracting(ReportOperations.Report::former).containsExactly(true);
    context.clock().advance(Duration.ofSeconds(1));
    accounts.create(List.of(new Account(JULIET, List.of(), context.clock().instant())));
    assertThat(reports()).extracting(ReportOperations.Report::former).containsExactly(true);
  }

  @Test
  void reportsComeInPagesAndByAddress() {
    for (int i = 0; i < REPORTS; i++) {
      forwarded(romeo);
      context.clock().advance(Duration.ofSeconds(1));
    }
    ReportOperations.Found page =
        context
            .operations()
            .done(
                ReportOperations.LIST, new ReportOperations.Wanted("example.org", JULIET, null, 2));
    assertThat(page.reports()).hasSize(2);
    page =
        context
            .operations()
            .done(
                ReportOperations.LIST,
                new ReportOperations.Wanted("example.org", HOST, page.next(), 2));
    assertThat(page.reports()).hasSize(1);
    assertThat(page.next()).isNull();
    assertThat(
            context
                .operations()
                .done(
                    ReportOperations.LIST,
                    new ReportOperations.Wanted("example.org", Jid.of("a.example"), null, 2))
                .reports())
        .isEmpty();
  }

  @Test
  void aModuleThatIsSwitchedOffForwardsNothing() {
    module.stop();
    assertThat(forwarded(romeo)).isZero();
    String query =
        "<query xmlns='http://jabber.org/protocol/disco#items' node='" + COMMANDS + "'/>";
    assertThat(condition(ask(bard, "get", "example.org", query)))
        .isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
  }

  @Test
  void storedAddressesNeedNotBeValidByTheRulesOfToday() {
    TestContext other = new TestContext();
    String old = "a\u0378@example.org";
    other
        .stores()
        .keyValues("administration")
        .put(HOST, "blacklist", old.getBytes(StandardCharsets.UTF_8));
    String admin = "2026-01-01T00:00:00Z " + old;
    other
        .stores()
        .keyValues("administration")
        .put(HOST, "admins", admin.getBytes(StandardCharsets.UTF_8));
    HostSettings[] settings = new HostSettings[1];
    other.install(
        new XmppModule() {
          @Override
          public String name() {
            return "settings";
          }

          @Override
          public Ports ports() {
            return module.ports();
          }

          @Override
          public void install(ModuleContext installed) {
            settings[0] = new HostSettings(installed);
          }
        });
    assertThat(settings[0].values().blacklist()).containsExactly(Jid.stored(old));
    assertThat(settings[0].values().admins()).containsOnlyKeys(Jid.stored(old));
  }
}
