package im.zonda.testkit.plugin.example;

import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.plugin.Decision;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginCounter;
import im.zonda.plugin.RequestException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The examples of docs/plugins.md that no shipped plugin has.
public final class Dice implements Plugin {
  private static final QName ROLL = new QName("urn:example:dice", "roll");
  private static final QName EYES = new QName("urn:example:dice", "eyes");

  /// What is asked.
  public record Wanted(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("how many sides the die has") long sides) {}

  /// What came of it.
  public record Rolled(@Field("the number") long eyes) {}

  private static final Operation<Wanted, Rolled> OPERATION =
      Operation.read("dice.roll", Right.MODERATION)
          .at("GET /hosts/{host}/dice/roll", "Roll a die", Wanted.class, Rolled.class);

  private @Nullable PluginCounter rolls;

  @Override
  public void start(PluginContext context) {
    PluginCounter rolls = context.counter("rolls", "dice that were rolled");
    this.rolls = rolls;

    context.onPresence(
        FilterPoint.SENT,
        passing ->
            Decision.replace(
                passing.stanza().withoutPayloads(each -> each.is("jabber:client", "status"))));

    context.advertise("urn:example:dice");
    context.onRequest(
        ROLL,
        (host, request) -> {
          if (request.from() == null) {
            throw new RequestException(ErrorCondition.NOT_ALLOWED, "Who rolls?");
          }
          return Element.text(EYES, String.valueOf(roll(context.settings(host).number("sides"))));
        });

    context.onHttp(
        HttpMethod.GET,
        "roll",
        request -> HttpResponse.text(200, "You have rolled " + roll(6) + "."));

    context.offer(OPERATION.by((call, wanted) -> Outcome.done(new Rolled(roll(wanted.sides())))));

    context.every(
        Duration.ofMinutes(1),
        Duration.ofHours(1),
        () -> context.log().info("{} works at {}", context.name(), context.hosts()));
  }

  private long roll(long sides) {
    if (rolls != null) {
      rolls.increment();
    }
    return ThreadLocalRandom.current().nextLong(1, sides + 1);
  }
}
