package im.zonda.plugins.filter;

import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginCounter;
import im.zonda.plugins.filter.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/// Counts of what the filter has done since it was started.
final class FilterCounts {
  final PluginCounter checked;
  final PluginCounter matched;
  final PluginCounter rejected;
  final PluginCounter masked;
  final PluginCounter dropped;
  final PluginCounter reported;
  final PluginCounter unchecked;
  private final Map<String, LongAdder> byRule = new ConcurrentHashMap<>();

  FilterCounts(PluginContext context) {
    checked = context.counter("checked", "messages that rules have looked at");
    matched = context.counter("matched", "messages in which a rule has found something");
    rejected = context.counter("rejected", "messages that were rejected");
    masked = context.counter("masked", "messages of which a part was masked");
    dropped = context.counter("dropped", "messages that were dropped");
    reported = context.counter("reported", "finds for the administrators");
    unchecked = context.counter("unchecked", "messages too long to be checked to their end");
  }

  /// Counts a message in which a rule has found something.
  void matched(Rule rule) {
    byRule.computeIfAbsent(rule.fullName(), _ -> new LongAdder()).increment();
  }

  /// In how many messages a rule has found something.
  long of(Rule rule) {
    LongAdder count = byRule.get(rule.fullName());
    return count == null ? 0 : count.sum();
  }

  /// Keeps the counts of these rules only.
  void retain(List<Rule> rules) {
    Set<String> names = rules.stream().map(Rule::fullName).collect(Collectors.toSet());
    byRule.keySet().retainAll(names);
  }
}
