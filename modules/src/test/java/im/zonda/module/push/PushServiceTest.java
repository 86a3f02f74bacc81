package im.zonda.module.push;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Services.Push.Content;
import im.zonda.hook.Verdict;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestXml;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What services answer, how often they are notified, and what they cannot do.
class PushServiceTest extends PushStage {
  @ParameterizedTest
  @CsvSource({
    "cancel,item-not-found",
    "cancel,remote-server-not-found",
    "cancel,service-unavailable",
    "auth,forbidden",
    "auth,not-authorized",
    "modify,not-acceptable"
  })
  void anErrorDisables(String type, String condition) {
    enable(NODE);
    context.end(phone);
    waits("hi");
    assertThat(answers(sentId(), "error", error(type, condition))).isTrue();
    waits("again");
    context.clock().advance(Duration.ofHours(2));
    context.runTasks();
    assertThat(context.sent()).isEmpty();
    assertThat(context.stores().keyValues("push").all(home().jid())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "wait,remote-server-timeout",
    "wait,resource-constraint",
    "cancel,internal-server-error",
    "wait,policy-violation"
  })
  void aTemporaryErrorDelaysAndDoesNotDisable(String type, String condition) {
    enable(NODE);
    context.end(phone);
    waits("hi");
    assertThat(answers(sentId(), "error", error(type, condition))).isTrue();
    waits("again");
    assertThat(context.sent()).isEmpty();
    context.clock().advance(Duration.ofSeconds(59));
    context.runTasks();
    assertThat(context.sent()).isEmpty();
    context.clock().advance(Duration.ofSeconds(1));
    context.runTasks();
    pushes(2);
  }

  @Test
  void pausesGrowWhileAServiceFails() {
    enable(NODE);
    context.end(phone);
    waits("hi");
    String id = sentId();
    for (int minutes : List.of(1, 2, 4, 8, 16, 32, 60, 60)) {
      assertThat(answers(id, "error", error("wait", "remote-server-timeout"))).isTrue();
      context.clock().advance(Duration.ofMinutes(minutes).minusMillis(1));
      context.runTasks();
      assertThat(context.sent()).as("after %d minutes", minutes).isEmpty();
      context.clock().advance(Duration.ofMillis(1));
      context.runTasks();
      id = sentId();
    }
  }

  @Test
  void anAnswerIsNotWaitedForForEver() {
    enable(NODE);
    context.end(phone);
    waits("one");
    pushes(1);
    waits("two");
    assertThat(context.sent()).isEmpty();
    context.clock().advance(Duration.ofMinutes(1));
    context.runTasks();
    pushes(2);
  }

  @Test
  void messagesWhileOneIsOnItsWayGoIntoTheNext() {
    enable(NODE);
    context.end(phone);
    waits("one");
    String id = sentId();
    waits("two");
    waits("three");
    assertThat(answers(id, "result", "")).isTrue();
    pushes(3);
  }

  @Test
  void aClientThatComesBackIsNotNotifiedOfWhatWaited() {
    enable(NODE);
    context.end(phone);
    waits("one");
    String id = sentId();
    waits("two");
    phone = context.bind("user@example.org/mobile");
    assertThat(answers(id, "result", "")).isTrue();
    assertThat(context.sent()).isEmpty();
    context.end(phone);
    waits("three");
    pushes(1);
  }

  @Test
  void aServiceGetsNoMoreThanTheRate() {
    start(Content.COUNT, 10, 3);
    enable(NODE);
    context.end(phone);
    for (int i = 0; i < 3; i++) {
      waits("m");
      assertThat(answers(sentId(), "result", "")).isTrue();
    }
    waits("m");
    waits("m");
    assertThat(context.sent()).isEmpty();
    context.clock().advance(Duration.ofSeconds(19));
    context.runTasks();
    assertThat(context.sent()).isEmpty();
    context.clock().advance(Duration.ofSeconds(1));
    context.runTasks();
    pushes(5);
  }

  @Test
  void aServiceThatTakesTheAffiliationAwayIsDisabled() {
    enable(NODE);
    enable("other");
    context.end(phone);
    Verdict verdict = context.arrives(TestXml.message(affiliation(SERVICE, NODE, "none")));
    assertThat(verdict).isInstanceOf(Verdict.Handled.class);
    context.runTasks();
    waits("hi");
    Expect.sent(context, notification("other", count(1), ""));
    assertThat(context.stores().keyValues("push").all(home().jid())).hasSize(1);
  }

  @Test
  void onlyTheServiceItselfCanDisableAndOnlyWithTheNode() {
    enable(NODE);
    context.end(phone);
    for (String from : List.of("evil.example", SERVICE + "/x", "a@" + SERVICE)) {
      assertThat(context.arrives(TestXml.message(affiliation(from, NODE, "none"))))
          .isInstanceOf(Verdict.Pass.class);
    }
    for (String node : List.of("", "yxs32uqsflafdk3iuq", NODE + "x")) {
      assertThat(context.arrives(TestXml.message(affiliation(SERVICE, node, "none"))))
          .isInstanceOf(Verdict.Pass.class);
    }
    for (String affiliation : List.of("publisher", "publish-only", "owner")) {
      assertThat(context.arrives(TestXml.message(affiliation(SERVICE, NODE, affiliation))))
          .isInstanceOf(Verdict.Pass.class);
    }
    waits("hi");
    pushes(1);
  }

  @Test
  void anAnswerCannotBeForged() {
    enable(NODE);
    context.end(phone);
    waits("hi");
    String id = sentId();
    for (String from : List.of("evil.example", SERVICE + "/x", "user@example.org")) {
      assertThat(
              context.arrives(
                  TestXml.iq(
                      "<iq type='error' id='%s' from='%s' to='user@example.org'>%s</iq>"
                          .formatted(id, from, error("cancel", "item-not-found")))))
          .isInstanceOf(Verdict.Pass.class);
    }
    assertThat(answers("x" + id, "error", error("cancel", "item-not-found"))).isFalse();
    assertThat(answers(id, "result", "")).isTrue();
    assertThat(answers(id, "error", error("cancel", "item-not-found"))).isFalse();
    waits("again");
    pushes(2);
  }

  @Test
  void anErrorForWhatWasReplacedDoesNotDisable() {
    enable(NODE);
    context.end(phone);
    waits("hi");
    String id = sentId();
    phone = context.bind("user@example.org/mobile");
    assertThat(ask(phone, ENABLE.formatted(SERVICE, NODE, OPTIONS))).isEqualTo(IqReply.empty());
    assertThat(answers(id, "error", error("auth", "not-authorized"))).isFalse();
    assertThat(context.stores().keyValues("push").all(home().jid())).hasSize(1);
  }

  @Test
  void aFloodOfMessagesIsOneNotificationAtATime() {
    enable(NODE);
    context.end(phone);
    for (int i = 0; i < 10_000; i++) {
      waits("flood");
    }
    pushes(1);
    assertThat(context.clock().waiting()).isEqualTo(1);
  }
}
