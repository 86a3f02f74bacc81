package im.zonda.module.admin.command;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Declarations;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.module.commands.CommandSessions;
import im.zonda.module.commands.CommandTable;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every kind of value and every kind of outcome as a command.
class OperationCommandsTest {
  private static final Jid HOST = Jid.of("example.org");
  private static final String NODE = OperationCommands.NODE;

  /// A colour.
  public enum Colour {
    RED,
    LIGHT_BLUE
  }

  /// Something of everything.
  public record All(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("a text") String text,
      @Field(value = "some lines", form = Form.LINES) String lines,
      @Field(value = "a number", min = 1, max = 9) int number,
      @Field("yes or no") boolean flag,
      @Field(value = "a colour", fallback = "red") Colour colour,
      @Field("an address") Jid address,
      @Field("a time") @Nullable Instant time,
      @Field("a duration") @Nullable Duration span,
      @Field("a secret") Secret secret,
      @Field("some addresses") List<Jid> addresses,
      @Field("some words") List<String> words) {}

  /// What was understood.
  public record Understood(@Field("what was understood") String text) {}

  /// A group, for which no form can ask.
  public record Grouped(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("a group") Understood group) {}

  /// A host.
  public record Hosted(@Field(value = "the host", form = Form.DOMAIN) String host) {}

  private static final Operation<All, Understood> TELL =
      Operation.destroy("thing.tell", Right.ROOMS)
          .at("POST /hosts/{host}/things", "Tell a thing", All.class, Understood.class);

  private static final Operation<Hosted, Nothing> LONG =
      Operation.change("thing.build", Right.ROOMS)
          .at("POST /hosts/{host}/long", "Build a thing", Hosted.class, Nothing.class);

  private static final Operation<Hosted, Understood> HALF =
      Operation.change("thing.halve", Right.ROOMS)
          .at("POST /hosts/{host}/half", "Halve a thing", Hosted.class, Understood.class);

  private static final Operation<Hosted, Understood> LOG =
      Operation.read("thing.follow", Right.ROOMS)
          .at("GET /hosts/{host}/log", "Follow a thing", Hosted.class, Understood.class);

  private static final Operation<Grouped, Nothing> GROUP =
      Operation.change("thing.group", Right.ROOMS)
          .at("POST /hosts/{host}/group", "Group things", Grouped.class, Nothing.class);

  private static final Operation<Hosted, Nothing> FOREIGN =
      Operation.change("thing.configure", Right.CONFIGURATION)
          .at("POST /hosts/{host}/configure", "Configure things", Hosted.class, Nothing.class);

  private final TestContext context = new TestContext();
  private final CommandTable table =
      new CommandTable(
          context,
          new CommandSessions(() -> new CommandSessions.Bounds(10, Duration.ofMinutes(10))));

  OperationCommandsTest() {
    context.install(
        new XmppModule() {
          @Override
          public String name() {
            return "things";
          }

          @Override
          public void install(ModuleContext installed) {
            offer(installed);
          }
        });
    Operations operations = context.operations();
    table.addAll(new OperationCommands(operations, HOST, _ -> true)::all);
  }

  private static void offer(Declarations declarations) {
    declarations.offer(
        TELL.by((_, all) ->
            Outcome.done(
                new Understood(
                    String.join(
                        "|",
                        List.of(
                            all.host(),
                            all.text(),
                            all.lines(),
                            "" + all.number(),
                            "" + all.flag(),
                            "" + all.colour(),
                            all.address().toString(),
                            "" + all.time(),
                            "" + all.span(),
                            all.secret().text(),
                            all.addresses().toString(),
                            all.words().toString()))))));
    declarations.offer(LONG.by((call, _) -> call.start("Build", _ -> "Built.")));
    declarations.offer(
        HALF.by((_, _) ->
            new Outcome.Partly<>(
                new Understood("one"), List.of(new Outcome.Failure("two", "It is away.")))));
    declarations.offer(LOG.by((_, _) -> new Outcome.Following<>(_ -> {})));
    declarations.offer(GROUP.by((_, _) -> Nothing.done()));
    declarations.offer(FOREIGN.by((_, _) -> Nothing.done()));
  }

  private Element run(String name, String session, String form) {
    Iq iq =
        TestXml.iq(
            ("<iq type='set' id='i' from='bard@example.org/globe' to='example.org'>"
                    + "<command xmlns='http://jabber.org/protocol/commands' node='%s' %s>%s"
                    + "</command></iq>")
                .formatted(
                    NODE + name, session.isEmpty() ? "" : "sessionid='" + session + "'", form));
    IqReply reply = table.run(iq, Objects.requireNonNull(iq.payload()), HOST);
    return Objects.requireNonNull(((IqReply.Result) reply).payload());
  }

  private static String note(Element command) {
    return command.children().getFirst().text();
  }

  @Test
  void theTypesOfFieldsAreThoseOfTheValues() {
    Element form = run("thing.tell", "", "").children().getLast();
    assertThat(
            form.children().stream()
                .filter(each -> each.attribute("type") != null)
                .map(each -> each.attribute("var") + " " + each.attribute("type")))
        .containsExactly(
            "FORM_TYPE hidden",
            "text text-single",
            "lines text-multi",
            "number text-single",
            "flag boolean",
            "colour list-single",
            "address jid-single",
            "time text-single",
            "span text-single",
            "secret text-private",
            "addresses jid-multi",
            "words text-multi");
    assertThat(
            form.children().stream()
                .filter(each ->
                    each.children().stream().anyMatch(one -> one.name().name().equals("required")))
                .map(each -> each.attribute("var")))
        .containsExactly("text", "lines", "number", "address", "secret");
  }

  private static String field(String name, String... values) {
    StringBuilder field = new StringBuilder("<field var='" + name + "'>");
    for (String value : values) {
      field.append("<value>").append(value).append("</value>");
    }
    return field.append("</field>").toString();
  }

  @Test
  void aSecretIsNotShownWhenItIsAskedAgain() {
    String session = Objects.requireNonNull(run("thing.tell", "", "").attribute("sessionid"));
    String form =
        "<x xmlns='jabber:x:data' type='submit'>"
            + field("text", " a b")
            + field("lines", "c", "", "d")
            + field("number", "7")
            + field("flag", "1")
            + field("colour", "light-blue")
            + field("address", " juliet@example.org ")
            + field("time", "2026-11-28T12:00:00Z")
            + field("span", "90s")
            + field("secret", "s3cret")
            + field("addresses", "a@b", "", "c@d")
            + field("words")
            + "</x>";
    Element again = run("thing.tell", session, form);
    assertThat(again.toString())
        .contains("This cannot be undone", "juliet@example.org", "a@b, c@d")
        .doesNotContain("s3cret");
    Element done = run("thing.tell", session, "<x xmlns='jabber:x:data' type='submit'/>");
    assertThat(done.children().getLast().children().getLast().children().getFirst().text())
        .isEqualTo(
            "example.org| a b|c\n\nd|7|true|LIGHT_BLUE|juliet@example.org|2026-11-28T12:00:00Z"
                + "|PT1M30S|s3cret|[a@b, c@d]|[]");
  }

  @Test
  void everyOutcomeIsSaid() {
    assertThat(note(run("thing.build", "", ""))).isEqualTo("It goes on as the job job-1.");
    Element half = run("thing.halve", "", "");
    assertThat(note(half)).isEqualTo("two: It is away.");
    assertThat(half.children().getFirst().attribute("type")).isEqualTo("error");
    assertThat(half.toString()).contains("one");
    assertThat(note(run("thing.follow", "", ""))).contains("command line");
  }

  @Test
  void whatAFormCannotAskOrAHostAdministratorMayNotDoIsNoCommand() {
    IqReply reply =
        Objects.requireNonNull(
            table.items(
                HOST, Jid.of("bard@example.org/globe"), "http://jabber.org/protocol/commands"));
    assertThat(
            Objects.requireNonNull(((IqReply.Result) reply).payload()).children().stream()
                .map(each -> each.attribute("node")))
        .containsExactlyInAnyOrder(
            NODE + "thing.tell", NODE + "thing.build", NODE + "thing.halve", NODE + "thing.follow");
  }
}
