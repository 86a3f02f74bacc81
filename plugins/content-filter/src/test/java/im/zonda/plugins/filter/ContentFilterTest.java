package im.zonda.plugins.filter;

import static im.zonda.plugins.filter.TestPluginContext.HOST;
import static im.zonda.plugins.filter.TestPluginContext.OTHER;
import static im.zonda.plugins.filter.TestPluginContext.message;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugins.filter.FilterOperations.Chosen;
import im.zonda.plugins.filter.FilterOperations.Status;
import im.zonda.plugins.filter.FilterOperations.Trial;
import im.zonda.plugins.filter.FilterOperations.Tried;
import im.zonda.stanza.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentFilterTest {
  private static final String ROOM = "hall@rooms.example.org";

  private static final Call NO_CALL =
      new Call() {
        @Override
        public Caller caller() {
          return Caller.owner("test");
        }

        @Override
        public void changed(String what, @Nullable String before, @Nullable String after) {
          throw new UnsupportedOperationException("operations of the filter only read");
        }

        @Override
        public <R extends Record> Outcome<R> start(String title, Work work) {
          throw new UnsupportedOperationException("operations of the filter only read");
        }
      };

  @TempDir Path folder;
  private TestPluginContext context;
  private final ContentFilter plugin = new ContentFilter();

  @BeforeEach
  void makeContext() {
    context = new TestPluginContext(folder);
  }

  private void start(String rules) throws IOException {
    Files.createDirectories(folder.resolve("rules"));
    write(rules);
    plugin.start(context);
  }

  private void write(String rules) throws IOException {
    Files.writeString(folder.resolve("rules/a.rules"), rules);
  }

  private String say(FilterPoint point, String host, String from, String to, String text)
      throws Exception {
    return context.pass(point, host, message(Message.Type.GROUPCHAT, from, to, text));
  }

  @Test
  void eachActionDoesWhatItSays() throws Exception {
    start(
        """
        [mask]
        action = mask
        words = darn
        [reject]
        action = reject
        text = Not this word.
        words = heck
        [usual]
        action = reject
        words = dang
        [drop]
        action = drop
        words = gosh
        [count]
        action = count
        words = oh
        """);
    assertThat(context.send("oh d4rn it")).isEqualTo("oh **** it");
    assertThat(context.send("heck")).isEqualTo("reject: Not this word.");
    assertThat(context.send("dang")).isEqualTo("reject: This message is not allowed here.");
    assertThat(context.send("gosh")).isEqualTo("drop");
    assertThat(context.send("fine")).isEqualTo("fine");
    assertThat(context.count("checked")).isEqualTo(5);
    assertThat(context.count("matched")).isEqualTo(4);
    assertThat(context.count("masked")).isEqualTo(1);
    assertThat(context.count("rejected")).isEqualTo(2);
    assertThat(context.count("dropped")).isEqualTo(1);
    assertThat(context.reports).isEmpty();
  }

  @Test
  void theFirstRuleThatRejectsOrDropsDecides() throws Exception {
    start(
        """
        [one]
        action = drop
        words = gosh
        [two]
        action = reject
        words = heck
        """);
    assertThat(context.send("heck gosh")).isEqualTo("drop");
  }

  @Test
  void overlappingPlacesAreMaskedTogether() throws Exception {
    start("[r]\naction=mask\nwords = darn it, it all\npattern = all\\.\n");
    assertThat(context.send("so darn it all. x")).isEqualTo("so **** ** **** x");
  }

  @Test
  void errorsAreNotChecked() throws Exception {
    start("[r]\naction = mask\nwords = darn\n");
    Message error =
        message(Message.Type.ERROR, "romeo@example.org/x", "juliet@example.org", "darn");
    assertThat(context.pass(FilterPoint.SENT, HOST, error)).isEqualTo("darn");
  }

  @Test
  void aMessageInARoomIsMaskedAndCountedOnce() throws Exception {
    start("[r]\naction = count\npoints = sent, room, arriving\nwords = darn\n");
    String user = "romeo@example.org/orchard";
    assertThat(say(FilterPoint.SENT, HOST, user, ROOM, "darn")).isEqualTo("darn");
    assertThat(say(FilterPoint.ROOM, HOST, user, ROOM, "darn")).isEqualTo("darn");
    assertThat(say(FilterPoint.ARRIVING, HOST, ROOM + "/romeo", "juliet@example.org/x", "darn"))
        .isEqualTo("darn");
    assertThat(context.count("matched")).isEqualTo(1);
    String far = "mercutio@far.example/x";
    assertThat(say(FilterPoint.ROOM, HOST, far, ROOM, "darn")).isEqualTo("darn");
    assertThat(say(FilterPoint.ARRIVING, HOST, ROOM + "/m", "juliet@example.org/x", "darn"))
        .isEqualTo("darn");
    assertThat(context.count("matched")).isEqualTo(2);
  }

  @Test
  void aRuleOfRoomsChecksEveryoneInThem() throws Exception {
    start("[r]\naction = mask\npoints = room\nrooms = *@rooms.example.org\nwords = darn\n");
    for (String user : List.of("a@example.org/x", "b@far.example/x", "c@other.example/x")) {
      assertThat(say(FilterPoint.ROOM, HOST, user, ROOM, "darn")).isEqualTo("****");
    }
    assertThat(say(FilterPoint.ROOM, OTHER, "a@example.org/x", "r@rooms.other.example", "darn"))
        .isEqualTo("darn");
    assertThat(context.send("darn")).isEqualTo("darn");
  }

  /// A room removes occupants that answer with errors.
  @Test
  void nothingIsAnsweredToARoomElsewhere() throws Exception {
    start("[r]\naction = reject\npoints = arriving\nwords = darn\n");
    assertThat(
            say(
                FilterPoint.ARRIVING,
                HOST,
                "r@rooms.far.example/n",
                "juliet@example.org/x",
                "darn"))
        .isEqualTo("drop");
    Message message = message(Message.Type.CHAT, "m@far.example/x", "juliet@example.org/x", "darn");
    assertThat(context.pass(FilterPoint.ARRIVING, HOST, message)).startsWith("reject");
  }

  @Test
  void reportsNameTheRuleAndHaveTheTextOnlyIfWanted() throws Exception {
    start("[cards]\naction = report\npattern = \\d{4} \\d{4}\n");
    assertThat(context.send("my card 1234 5678")).isEqualTo("my card 1234 5678");
    assertThat(context.reports)
        .containsExactly(
            "example.org: The rule a.rules/cards matches a message from"
                + " romeo@example.org/orchard to juliet@example.org.");
    context.set("report-text", true);
    assertThat(plugin.reload()).isTrue();
    assertThat(context.send("my card 1234\n5678 x 1111 2222")).isNotEmpty();
    assertThat(context.reports.getLast())
        .endsWith("to juliet@example.org: my card 1234 5678 x 1111 2222");
  }

  @Test
  void aFloodOfFindsIsReportedInSum() throws Exception {
    start("[r]\naction = report\nwords = darn\n");
    for (int i = 0; i < 100; i++) {
      assertThat(context.send("darn " + i)).isNotEmpty();
    }
    assertThat(context.reports).hasSize(Reports.MOST);
    context.look();
    assertThat(context.reports).hasSize(Reports.MOST);
    context.now = context.now.plusSeconds(60);
    context.look();
    assertThat(context.reports.getLast())
        .isEqualTo("example.org: Rules have found something in 90 more messages.");
    context.look();
    assertThat(context.send("darn")).isNotEmpty();
    assertThat(context.reports).hasSize(Reports.MOST + 2);
    assertThat(context.count("reported")).isEqualTo(101);
  }

  @Test
  void filesAreReadWhileTheServerRuns() throws Exception {
    start("[r]\naction = mask\nwords = darn\n");
    write("[r]\naction = mask\nwords = heck, dang\n");
    context.look();
    assertThat(context.send("darn heck")).isEqualTo("darn ****");
    write("[r]\naction = mask\nwords = f*ck it\n");
    context.look();
    assertThat(context.send("darn heck")).isEqualTo("darn ****");
    assertThat(context.reports)
        .containsExactly(
            "example.org: A file of rules is wrong and keeps the rules that it had: a.rules:3: an"
                + " asterisk stands only at the beginning or end of a word; use a pattern"
                + " instead.");
    assertThat(context.gauge("problems")).isEqualTo(1);
    context.look();
    assertThat(context.reports).hasSize(1);
  }

  @Test
  void otherSettingsOfFilesNeedAnotherStart() throws Exception {
    start("[r]\naction = mask\nwords = darn\n");
    context.set("mask", "#");
    assertThat(plugin.reload()).isTrue();
    assertThat(context.send("darn")).isEqualTo("####");
    context.set("rules", "elsewhere");
    assertThat(plugin.reload()).isFalse();
  }

  @Test
  void theFolderIsMadeIfThereIsNone() throws Exception {
    plugin.start(context);
    assertThat(folder.resolve("rules")).isDirectory();
    assertThat(context.send("anything")).isEqualTo("anything");
  }

  @Test
  void aTextCanBeTried() throws Exception {
    start(
        """
        [mask]
        action = mask
        words = darn
        [rooms]
        action = reject, report
        text = Not in rooms.
        rooms = *@rooms.example.org
        except-users = mod@example.org
        words = heck
        """);
    Tried masked = tried(new Trial(HOST, "darn h3ck", null, null, false));
    assertThat(masked.decision()).isEqualTo("mask");
    assertThat(masked.text()).isEqualTo("**** h3ck");
    Tried rejected = tried(new Trial(HOST, "darn h3ck", Jid.of(ROOM), null, false));
    assertThat(rejected.decision()).isEqualTo("reject");
    assertThat(rejected.error()).isEqualTo("Not in rooms.");
    assertThat(rejected.finds().getLast())
        .isEqualTo(new FilterOperations.Found("a.rules/rooms", 4, "reject, report", "h3ck"));
    Jid moderator = Jid.of("mod@example.org");
    assertThat(tried(new Trial(HOST, "h3ck", Jid.of(ROOM), moderator, false)).decision())
        .isEqualTo("pass");
    assertThat(context.count("matched")).isZero();
    assertThat(context.reports).isEmpty();
  }

  private <I extends Record, R extends Record> R run(Operation<I, R> operation, I input)
      throws InterruptedException {
    for (Offer<?, ?> each : context.offers) {
      if (each.operation().equals(operation)) {
        @SuppressWarnings("unchecked") // it is of this operation
        Offer<I, R> offer = (Offer<I, R>) each;
        if (offer.action().run(NO_CALL, input) instanceof Outcome.Done<R>(R result)) {
          return result;
        }
      }
    }
    throw new AssertionError("no result");
  }

  private Tried tried(Trial trial) throws InterruptedException {
    return run(FilterOperations.TEST, trial);
  }

  @Test
  void theStatusSaysWhatRulesHaveFound() throws Exception {
    start(
        """
        [r]
        action = mask
        words = darn, heck
        pattern = \\d{9}
        [s]
        action = mask
        hosts = other.example
        words = gosh
        """);
    write("wrong");
    assertThat(context.send("darn")).isEqualTo("****");
    context.look();
    Status status = run(FilterOperations.STATUS, new Chosen(HOST));
    assertThat(status.read()).isEqualTo(context.now);
    assertThat(status.files()).containsExactly("a.rules");
    assertThat(status.words()).isEqualTo(2);
    assertThat(status.patterns()).isEqualTo(1);
    assertThat(status.problems()).hasSize(1);
    assertThat(status.rules())
        .containsExactly(new FilterOperations.Counted("a.rules/r", 1, "mask", 1));
    assertThat(context.offers).hasSize(2);
  }

  /// Attacks: what no one would write by accident costs little and passes no rule.
  @Test
  void aMessageOfInvisibleCharactersIsChecked() throws Exception {
    start("[r]\naction = mask\nwords = darn\npattern = heck.*\n");
    String invisible = "\u200b".repeat(60_000);
    String hidden = "d" + invisible + "arn" + invisible + " h\u2060eck";
    assertThat(context.send(hidden)).doesNotContain("arn").doesNotContain("eck");
    assertThat(context.send(invisible)).isEqualTo(invisible);
    String marks = "d" + "\u0336\u0301".repeat(40_000) + "arn";
    assertThat(context.send(marks)).matches("(?s)\\*+");
  }

  @Test
  void aTextThatCannotBeCheckedIsRejected() throws Exception {
    start("[r]\naction = mask\npattern = (x+x+)+y\n");
    String text = "x".repeat(200_000);
    assertThat(context.send(text)).startsWith("reject: This message is too long");
    assertThat(context.count("unchecked")).isEqualTo(1);
    context.set("too-long", "pass");
    assertThat(plugin.reload()).isTrue();
    assertThat(context.send(text)).isEqualTo(text);
  }

  @Test
  void brokenTextHarmsNothing() throws Exception {
    start("[r]\naction = count, report\nwords = darn, *😀*\npattern = .\\d+\n");
    StringBuilder broken = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      broken.append((char) ThreadLocalRandom.current().nextInt(0x20, 0xD800));
    }
    assertThat(context.send(broken.toString())).isNotNull();
    for (String text : List.of("\ud83d darn", "\ude00\ud83d1", "d\ud800arn")) {
      assertThat(tried(new Trial(HOST, text, null, null, false)).decision()).isEqualTo("pass");
    }
  }
}
