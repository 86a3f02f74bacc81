package im.zonda.plugins.filter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.plugin.FilterPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleReaderTest {
  private final RuleReader reader =
      new RuleReader(
          "swear.rules",
          name -> {
            if (name.equals("words.txt")) {
              return List.of("# words", "", "heck", " dang ", "x");
            }
            if (name.equals("good.txt")) {
              return List.of("cards? \\d+");
            }
            throw new IOException("there is no such file");
          });

  private List<Rule> read(String text) {
    return reader.read(text.lines().toList());
  }

  @Test
  void aRuleHasEverything() {
    List<Rule> rules =
        read(
            """
            # The swear words
            [Insults of 2026]
            action       = mask, report
            points       = sent, arriving, room
            hosts        = example.org, *.example.org
            rooms        = *@rooms.example.org
            except-rooms = mods@rooms.example.org
            users        = *@example.org
            except-users = admin@example.org
            words        = darn, *heck*
            words        = shoot
            allow        = Checker
            pattern      = (?i)buy\\s+gold = cheap, good
            patterns-file = good.txt
            disguises    = no

            [second]
            action = reject
            text = Please, be kind = nice.
            words = darn
            """);
    assertThat(reader.problems()).isEmpty();
    Rule first = rules.getFirst();
    assertThat(first.fullName()).isEqualTo("swear.rules/Insults of 2026");
    assertThat(first.line()).isEqualTo(2);
    assertThat(first.actions()).containsExactlyInAnyOrder(Action.MASK, Action.REPORT);
    assertThat(first.points()).hasSize(3);
    assertThat(first.words()).hasToString("[darn, *heck*, shoot]");
    assertThat(first.allowed()).hasToString("[checker]");
    assertThat(first.patterns()).hasToString("[(?i)buy\\s+gold = cheap, good, cards? \\d+]");
    assertThat(first.isExact()).isTrue();
    Rule second = rules.getLast();
    assertThat(second.text()).isEqualTo("Please, be kind = nice.");
    assertThat(second.points()).containsExactlyInAnyOrder(FilterPoint.SENT, FilterPoint.ROOM);
    assertThat(second.isExact()).isFalse();
  }

  @Test
  void aRuleLooksWhereItIsTold() {
    Rule rule =
        read("""
        [r]
        action = count
        points = sent, arriving, room
        hosts = example.org
        rooms = *@rooms.example.org
        except-rooms = mods@rooms.example.org
        except-users = admin@example.org
        words = darn
        """)
            .getFirst();
    String room = "hall@rooms.example.org";
    assertThat(looks(rule, FilterPoint.ROOM, "example.org", room, "a@far.example")).isTrue();
    assertThat(looks(rule, FilterPoint.ROOM, "other.example", room, "a@far.example")).isFalse();
    assertThat(
            looks(rule, FilterPoint.ROOM, "example.org", "mods@rooms.example.org", "a@far.example"))
        .isFalse();
    assertThat(looks(rule, FilterPoint.SENT, "example.org", "b@example.org", "a@example.org"))
        .isFalse();
    assertThat(looks(rule, FilterPoint.SENT, "example.org", room, "a@example.org")).isTrue();
    assertThat(looks(rule, FilterPoint.SENT, "example.org", room, "admin@example.org/x")).isFalse();
  }

  private static boolean looks(
      Rule rule, FilterPoint point, String host, String room, String sender) {
    return rule.looksAt(new Subject(point, host, room, Jid.of(sender), false, false));
  }

  @Test
  void aRuleSeesAMessageOnce() {
    Rule all = read("[r]\naction=count\npoints=sent,arriving,room\nwords=darn\n").getFirst();
    Rule room = read("[s]\naction=count\npoints=room\nwords=darn\n").getLast();
    Rule other =
        read("[t]\naction=count\npoints=sent,room\nhosts=b.example\nwords=darn\n").getLast();
    Subject inRoom =
        new Subject(
            FilterPoint.ROOM, "b.example", "r@rooms.b.example", Jid.of("a@a.example"), true, false);
    assertThat(all.looksAt(inRoom)).isFalse();
    assertThat(room.looksAt(inRoom)).isTrue();
    assertThat(other.looksAt(inRoom)).isTrue();
    Jid occupant = Jid.of("r@rooms.b.example/nick");
    Subject fromRoom =
        new Subject(FilterPoint.ARRIVING, "b.example", "r@rooms.b.example", occupant, false, true);
    assertThat(all.looksAt(fromRoom)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "darn ~ 1: expected [NAME",
        "words = darn ~ 1: a rule begins with its name",
        "[] ~ 1: the name of a rule has",
        "[r]\\naction = mask ~ 1: the rule r has no words and no patterns",
        "[r]\\nwords = darn ~ 1: the rule r has no action",
        "[r]\\naction = mask\\naction = drop\\nwords=darn ~ 3: the rule has action twice",
        "[r]\\naction = mask, drop\\nwords=darn ~ 2: a rule has one of",
        "[r]\\naction = burn\\nwords=darn ~ 2: an action is",
        "[r]\\naction = mask\\npoints = here\\nwords=darn ~ 3: points are",
        "[r]\\naction = mask\\nword=darn ~ 3: there is no key word",
        "[r]\\naction = mask\\nwords= ~ 3: words has no value",
        "[r]\\naction = mask\\nwords=f*ck ~ 3: an asterisk stands only",
        "[r]\\naction = mask\\npattern=a( ~ 3: not a pattern",
        "[r]\\naction = mask\\nwords-file=none.txt ~ 3: none.txt: there is no such file",
        "[r]\\naction = mask\\nwords=darn\\ndisguises=maybe ~ 4: disguises is yes or no",
        "[r]\\naction = mask\\nwords=darn\\n[r]\\naction=drop\\nwords=darn ~ 4: there are two rules",
      })
  void aMistakeIsToldWithItsLine(String text, String problem) {
    List<Rule> ignored = read(text.replace("\\n", "\n"));
    assertThat(ignored).isNotNull();
    assertThat(reader.problems()).isNotEmpty();
    assertThat(reader.problems().getFirst().toString()).startsWith("swear.rules:" + problem);
  }

  @Test
  void aMistakeInAListIsToldWithTheLineOfTheList() {
    List<Rule> ignored = read("[r]\naction = mask\nwords-file = words.txt\n");
    assertThat(ignored).isEmpty();
    assertThat(reader.problems())
        .hasToString("[words.txt:5: a word needs at least two letters or digits]");
  }

  @Test
  void aFileWithTooMuchIsReadNoFurther() {
    List<String> many = new ArrayList<>(Collections.nCopies(150_000, "darn"));
    RuleReader all = new RuleReader("a.rules", _ -> many);
    String list = "words-file = x\n";
    assertThat(all.read(("[r]\naction = mask\n" + list.repeat(60)).lines().toList())).isEmpty();
    assertThat(all.problems()).hasToString("[a.rules: there are more than 200000 words]");
    RuleReader patterns = new RuleReader("a.rules", _ -> many);
    assertThat(patterns.read(List.of("[r]", "action = mask", "patterns-file = x"))).isEmpty();
    assertThat(patterns.problems()).hasToString("[a.rules: there are more than 5000 patterns]");
    RuleReader lists = new RuleReader("a.rules", _ -> List.of());
    assertThat(lists.read(("[r]\naction = mask\n" + list.repeat(101)).lines().toList())).isEmpty();
    assertThat(lists.problems()).hasToString("[a.rules:103: a file names at most 100 lists]");
  }

  @Test
  void globsStandForAnyCharacters() {
    Globs globs = new Globs(List.of("A*b*c", "plain", "*x"));
    assertThat(List.of("abc", "a--b-b--c", "plain", "x", "yyx")).allMatch(globs::match);
    assertThat(List.of("ab", "abcd", "plainer", "xy", "")).noneMatch(globs::match);
    assertThat(new Globs(List.of("*a".repeat(200))).match("a".repeat(150))).isFalse();
  }
}
