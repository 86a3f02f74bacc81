package im.zonda.plugins.filter;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.PluginContext;
import im.zonda.plugins.filter.ContentFilter.Loaded;
import im.zonda.plugins.filter.MessageText.Passage;
import im.zonda.plugins.filter.match.Range;
import im.zonda.plugins.filter.rule.Action;
import im.zonda.plugins.filter.rule.Rule;
import im.zonda.plugins.filter.rule.RuleProblem;
import im.zonda.plugins.filter.rule.RuleSet;
import im.zonda.plugins.filter.rule.Subject;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Operations for administrators.
final class FilterOperations {
  static final int MOST_CHARS = 10_000;
  static final int MOST_RULES = 2_000;
  private static final QName BODY = new QName("jabber:client", "body");

  /// A text to try.
  public record Trial(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field(value = "the text of the message", form = Form.LINES, max = MOST_CHARS) String text,
      @Field("the room, for a message in a room") @Nullable Jid room,
      @Field("the sender; without one, someone to whom no exception applies") @Nullable Jid sender,
      @Field("for a message to an account of the host from elsewhere") boolean arriving) {}

  /// What would become of a message.
  public record Tried(
      @Field("what would be done: pass, mask, reject or drop") String decision,
      @Field(value = "what the receivers would get", form = Form.LINES, max = MOST_CHARS)
          @Nullable String text,
      @Field("what the sender would be told") @Nullable String error,
      @Field(value = "what rules find", max = MOST_RULES) List<Found> finds) {}

  /// What one rule finds.
  public record Found(
      @Field("the file and the name of the rule") String rule,
      @Field("the line of the rule") int line,
      @Field("its actions") String actions,
      @Field(value = "the first place", form = Form.LINES, max = MOST_CHARS) String found) {}

  /// A host.
  public record Chosen(@Field(value = "the host", form = Form.DOMAIN) String host) {}

  /// How the filter is.
  public record Status(
      @Field("when the files were read") @Nullable Instant read,
      @Field(value = "the files with rules", max = MOST_RULES) List<String> files,
      @Field("how many words the rules have") int words,
      @Field("how many patterns the rules have") int patterns,
      @Field("what is wrong in the files, which keep the rules that they had")
          List<String> problems,
      @Field(value = "the rules for the host", max = MOST_RULES) List<Counted> rules) {}

  /// A rule and what it has found.
  public record Counted(
      @Field("the file and the name of the rule") String rule,
      @Field("the line of the rule") int line,
      @Field("its actions") String actions,
      @Field("in how many messages it has found something since the plugin was started")
          long messages) {}

  /// `content-filter.test`.
  static final Operation<Trial, Tried> TEST =
      Operation.read("content-filter.test", Right.MODERATION)
          .at(
              "POST /hosts/{host}/content-filter/test",
              "Say what the content filter would do with a message",
              Trial.class,
              Tried.class);

  /// `content-filter.status`.
  static final Operation<Chosen, Status> STATUS =
      Operation.read("content-filter.status", Right.MODERATION)
          .ofNode()
          .at(
              "GET /hosts/{host}/content-filter/status",
              "Show the rules of the content filter and what they have found",
              Chosen.class,
              Status.class);

  private final MessageFilter filter;
  private final FilterCounts counts;
  private final Supplier<@Nullable Loaded> loaded;

  FilterOperations(MessageFilter filter, FilterCounts counts, Supplier<@Nullable Loaded> loaded) {
    this.filter = filter;
    this.counts = counts;
    this.loaded = loaded;
  }

  void offer(PluginContext context) {
    context.offer(TEST.by((_, trial) -> Outcome.done(test(trial))));
    context.offer(STATUS.by((_, chosen) -> Outcome.done(status(chosen))));
  }

  /// Neither counts nor reports.
  Tried test(Trial trial) {
    RuleSet rules = filter.rules();
    Jid room = trial.room;
    Jid host = hostJid(trial);
    FilterPoint point =
        trial.arriving ? FilterPoint.ARRIVING : room != null ? FilterPoint.ROOM : FilterPoint.SENT;
    Jid sender = trial.sender == null ? host : trial.sender;
    String place = (room == null ? sender : room).bare().toString();
    Subject subject = new Subject(point, trial.host, place, sender, false, false);
    boolean[] active = rules.active(subject);
    FilterSettings settings = filter.settings(trial.host);
    if (active == null) {
      return new Tried("pass", trial.text, null, List.of());
    }
    Judgement judgement = Judgement.of(rules, active, List.of(new Passage(0, trial.text)));
    List<Found> finds =
        judgement.finds().stream()
            .map(each ->
                new Found(
                    each.rule().fullName(), each.rule().line(), actions(each.rule()), each.found()))
            .toList();
    Rule decisive = judgement.decisive();
    if (decisive != null) {
      boolean isDropped = decisive.does(Action.DROP);
      String error = decisive.text() == null ? settings.text() : decisive.text();
      return new Tried(isDropped ? "drop" : "reject", null, isDropped ? null : error, finds);
    }
    if (judgement.isIncomplete() && settings.isUncheckedRejected()) {
      return new Tried("reject", null, MessageFilter.TOO_LONG, finds);
    }
    return judgement.masks().isEmpty()
        ? new Tried("pass", trial.text, null, finds)
        : new Tried("mask", masked(trial.text, judgement.masks(), settings), null, finds);
  }

  private static Jid hostJid(Trial trial) {
    try {
      return Jid.of(trial.host);
    } catch (JidFormatException e) {
      throw new IllegalArgumentException("no host: " + trial.host, e);
    }
  }

  private static String masked(
      String text, Map<Integer, List<Range>> masks, FilterSettings settings) {
    Element body = Element.text(BODY, text);
    Message message = Message.of(Message.Type.CHAT, null, null, null, List.of(body));
    Element masked = MessageText.masked(message, masks, settings.mask()).payload(BODY);
    return masked == null ? "" : masked.text();
  }

  private static String actions(Rule rule) {
    return String.join(", ", rule.actions().stream().sorted().map(Action::word).toList());
  }

  Status status(Chosen chosen) {
    Loaded now = loaded.get();
    if (now == null) {
      return new Status(null, List.of(), 0, 0, List.of(), List.of());
    }
    List<Counted> rules = new ArrayList<>();
    int words = 0;
    int patterns = 0;
    for (Rule rule : now.contents().rules()) {
      if (!rule.scope().includesHost(chosen.host)) {
        continue;
      }
      rules.add(new Counted(rule.fullName(), rule.line(), actions(rule), counts.of(rule)));
      words += rule.words().size();
      patterns += rule.patterns().size();
    }
    return new Status(
        now.time(),
        now.contents().files(),
        words,
        patterns,
        now.contents().problems().stream().map(RuleProblem::toString).toList(),
        rules);
  }
}
