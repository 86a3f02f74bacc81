package im.zonda.plugins.filter;

import im.zonda.jid.Jid;
import im.zonda.plugin.Decision;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.Filtered;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.StanzaFilter;
import im.zonda.plugins.filter.Judgement.Find;
import im.zonda.plugins.filter.MessageText.Passage;
import im.zonda.plugins.filter.rule.Action;
import im.zonda.plugins.filter.rule.Rule;
import im.zonda.plugins.filter.rule.RuleSet;
import im.zonda.plugins.filter.rule.Subject;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Decides on messages by rules. Does not block.
final class MessageFilter implements StanzaFilter<Message> {
  /// The most domains of rooms that are remembered.
  private static final int MOST_ROOM_DOMAINS = 10_000;

  static final String TOO_LONG = "This message is too long to be checked. Please send it in parts.";

  private final PluginContext context;
  private final FilterCounts counts;
  private final Reports reports;
  private final Map<String, FilterSettings> settings = new ConcurrentHashMap<>();
  // The domains of the rooms whose messages pass this filter.
  private final Set<String> roomDomains = ConcurrentHashMap.newKeySet();
  private volatile RuleSet rules = RuleSet.EMPTY;
  private volatile Set<String> hosts = Set.of();

  MessageFilter(PluginContext context, FilterCounts counts, Reports reports) {
    this.context = context;
    this.counts = counts;
    this.reports = reports;
  }

  /// Replaces the rules.
  void use(RuleSet newRules) {
    rules = newRules;
  }

  /// Replaces the domains of the hosts at which messages pass this filter when they are sent.
  void useHosts(Set<String> domains) {
    hosts = Set.copyOf(domains);
  }

  RuleSet rules() {
    return rules;
  }

  /// Forgets the settings of hosts, which have changed.
  void forgetSettings() {
    settings.clear();
  }

  FilterSettings settings(String host) {
    return settings.computeIfAbsent(host, each -> FilterSettings.of(context.settings(each)));
  }

  @Override
  public Decision<Message> filter(Filtered<Message> passing) {
    Message message = passing.stanza();
    RuleSet now = rules;
    if (message.isError() || now.rules().isEmpty()) {
      return Decision.pass();
    }
    boolean[] active = now.active(subject(passing));
    if (active == null) {
      return Decision.pass();
    }
    List<Passage> passages = MessageText.of(message.payloads());
    if (passages.isEmpty()) {
      return Decision.pass();
    }
    counts.checked.increment();
    Judgement judgement = Judgement.of(now, active, passages);
    if (judgement.finds().isEmpty() && !judgement.isIncomplete()) {
      return Decision.pass();
    }
    note(passing, judgement, passages);
    return decide(passing, judgement);
  }

  private Subject subject(Filtered<Message> passing) {
    Message message = passing.stanza();
    Jid from = message.from() == null ? passing.owner() : message.from();
    Jid to = message.to() == null ? passing.owner() : message.to();
    FilterPoint point = passing.point();
    if (point == FilterPoint.ROOM && roomDomains.size() < MOST_ROOM_DOMAINS) {
      roomDomains.add(passing.owner().domain());
    }
    Jid room =
        switch (point) {
          case SENT -> to.bare();
          case ARRIVING -> from.bare();
          case ROOM -> passing.owner();
        };
    return new Subject(
        point,
        passing.host(),
        room.toString(),
        from,
        point != FilterPoint.SENT && hosts.contains(from.domain()),
        message.type() == Message.Type.GROUPCHAT && roomDomains.contains(from.domain()));
  }

  private void note(Filtered<Message> passing, Judgement judgement, List<Passage> passages) {
    if (!judgement.finds().isEmpty()) {
      counts.matched.increment();
    }
    if (judgement.isIncomplete()) {
      counts.unchecked.increment();
    }
    for (Find find : judgement.finds()) {
      counts.matched(find.rule());
      if (find.rule().does(Action.REPORT)) {
        counts.reported.increment();
        reports.report(passing.host(), report(passing, find.rule(), passages));
      }
    }
  }

  private String report(Filtered<Message> passing, Rule rule, List<Passage> passages) {
    Message message = passing.stanza();
    String text =
        "The rule "
            + rule.fullName()
            + " matches a message from "
            + message.from()
            + " to "
            + (message.to() == null ? passing.owner() : message.to());
    return settings(passing.host()).isTextReported()
        ? text + ": " + Reports.shown(passages.getFirst().text())
        : text + ".";
  }

  private Decision<Message> decide(Filtered<Message> passing, Judgement judgement) {
    Message message = passing.stanza();
    Rule decisive = judgement.decisive();
    FilterSettings here = settings(passing.host());
    if (decisive != null) {
      String own = decisive.text();
      return decisive.does(Action.DROP) ? drop() : reject(passing, own == null ? here.text() : own);
    }
    if (judgement.isIncomplete() && here.isUncheckedRejected()) {
      return reject(passing, TOO_LONG);
    }
    if (judgement.masks().isEmpty()) {
      return Decision.pass();
    }
    counts.masked.increment();
    return Decision.replace(MessageText.masked(message, judgement.masks(), here.mask()));
  }

  private Decision<Message> drop() {
    counts.dropped.increment();
    return Decision.drop();
  }

  // A room removes occupants that answer its messages with errors.
  private Decision<Message> reject(Filtered<Message> passing, String text) {
    if (passing.point() == FilterPoint.ARRIVING
        && passing.stanza().type() == Message.Type.GROUPCHAT) {
      return drop();
    }
    counts.rejected.increment();
    return Decision.reject(ErrorCondition.POLICY_VIOLATION, text);
  }
}
