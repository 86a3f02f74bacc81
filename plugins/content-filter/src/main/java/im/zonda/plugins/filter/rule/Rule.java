package im.zonda.plugins.filter.rule;

import im.zonda.plugin.FilterPoint;
import im.zonda.plugins.filter.match.TextPattern;
import im.zonda.plugins.filter.match.Word;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A rule: what it looks for, where, and what is done then.
///
/// @param name unique in its file
/// @param file the name of the file
/// @param line the line of its name
/// @param actions what is done
/// @param text the error text for a message that is rejected; null for the usual text
/// @param points where it looks
/// @param scope whose messages it looks at
/// @param words what it looks for
/// @param allowed words in which it finds nothing
/// @param patterns what else it looks for
/// @param isExact whether disguised spellings of words do not count
public record Rule(
    String name,
    String file,
    int line,
    Set<Action> actions,
    @Nullable String text,
    Set<FilterPoint> points,
    RuleScope scope,
    List<Word> words,
    List<Word> allowed,
    List<TextPattern> patterns,
    boolean isExact) {
  /// Copies the lists.
  public Rule {
    actions = Set.copyOf(actions);
    points = Set.copyOf(points);
    words = List.copyOf(words);
    allowed = List.copyOf(allowed);
    patterns = List.copyOf(patterns);
  }

  /// The name for people, such as `swear.rules/insults`.
  public String fullName() {
    return file + "/" + name;
  }

  /// Whether it does something with an action.
  public boolean does(Action action) {
    return actions.contains(action);
  }

  /// Whether it looks at a message. A rule sees each message once: one that it has seen where the
  /// message was sent it does not look at again in the room or at the receiver.
  public boolean looksAt(Subject subject) {
    if (!points.contains(subject.point()) || !scope.includes(subject, subject.host())) {
      return false;
    }
    return switch (subject.point()) {
      case SENT -> true;
      case ROOM -> !hasSeenSent(subject);
      case ARRIVING ->
          !hasSeenSent(subject) && !(points.contains(FilterPoint.ROOM) && subject.isFromOwnRoom());
    };
  }

  private boolean hasSeenSent(Subject subject) {
    return subject.isSenderLocal()
        && points.contains(FilterPoint.SENT)
        && scope.includes(subject, subject.sender().domain());
  }

  @Override
  public String toString() {
    return fullName();
  }
}
