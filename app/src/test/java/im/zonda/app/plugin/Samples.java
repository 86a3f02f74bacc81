package im.zonda.app.plugin;

import im.zonda.jid.Jid;
import im.zonda.plugin.Decision;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.Filtered;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginEvent;
import im.zonda.plugin.RequestException;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Plugins of tests. Each is alone in its jar, with what [SampleJar#with] adds.
final class Samples {
  private Samples() {}

  /// Masks, rejects and drops by words of the body.
  public static final class Filter implements Plugin {
    @Override
    public void start(PluginContext context) {
      context.onMessage(FilterPoint.SENT, Filter::decide);
    }

    /// Not private: in a jar there is no class around it.
    static Decision<Message> decide(Filtered<Message> passing) {
      String text = passing.stanza().body();
      return switch (text == null ? "" : text) {
        case "darn" ->
            Decision.replace(
                passing
                    .stanza()
                    .withoutPayloads(each -> each.name().equals(new QName("jabber:client", "body")))
                    .withPayload(
                        Element.builder(new QName("jabber:client", "body")).text("****").build()));
        case "reject" -> Decision.reject(ErrorCondition.NOT_ACCEPTABLE, "not here");
        case "drop" -> Decision.drop();
        case "fail" -> throw new IllegalArgumentException("a defect of the plugin");
        default -> Decision.pass();
      };
    }
  }

  /// Filters rooms as [Filter] does accounts, and tells an account what happens to others and in
  /// rooms.
  public static final class Rooms implements Plugin {
    @Override
    public void start(PluginContext context) {
      context.onMessage(FilterPoint.ROOM, Filter::decide);
      context.onEvent(event -> {
        String told = told(event);
        if (told != null) {
          context.send(
              Message.of(
                  Message.Type.NORMAL,
                  Jid.of(event.host()),
                  Jid.of("watch@" + event.host()),
                  null,
                  List.of(Element.builder(new QName("jabber:client", "body")).text(told).build())));
        }
      });
    }

    private static @Nullable String told(PluginEvent event) {
      return switch (event) {
        case PluginEvent.PresenceChanged(var _, var _, Presence of) ->
            "watch".equals(Objects.requireNonNull(of.from()).local())
                ? null
                : of.type() + " " + of.from();
        case PluginEvent.RoomCreated(var _, var _, Jid room, Jid by) ->
            "created " + room + " " + by;
        case PluginEvent.RoomRemoved(var _, var _, Jid room) -> "removed " + room;
        case PluginEvent.RoomEntered(var _, var _, Jid occupant, Jid user) ->
            "entered " + occupant + " " + user;
        case PluginEvent.RoomLeft(var _, var _, Jid occupant, Jid user) ->
            "left " + occupant + " " + user;
        case PluginEvent.RoomMessage(var _, var _, Message message, var user) ->
            message.from() + " " + user + " " + message.body();
        default -> null;
      };
    }
  }

  /// Does at each message what the setting `mode` says.
  public static final class Misbehaving implements Plugin {
    private final List<byte[]> kept = new ArrayList<>();

    @Override
    public void start(PluginContext context) {
      String mode = context.settings().text("mode");
      String victim = context.settings().text("victim");
      context.onMessage(
          FilterPoint.SENT,
          passing -> {
            Jid to = passing.stanza().to();
            if (victim.isEmpty() || (to != null && victim.equals(to.local()))) {
              act(mode, context, passing);
            }
            return Decision.pass();
          });
    }

    private void act(String mode, PluginContext context, Filtered<Message> passing)
        throws InterruptedException {
      switch (mode) {
        case "throws" -> throw new IllegalStateException("a defect");
        case "overflows" -> act(mode, context, passing);
        // The defect that the server must bear: a filter that blocks until it is interrupted.
        case "sleeps" -> Thread.sleep(Duration.ofHours(1));
        case "spins" -> {
          long end = System.nanoTime() + Duration.ofSeconds(8).toNanos();
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
        }
        case "allocates" -> kept.add(new byte[Integer.MAX_VALUE]);
        case "floods" -> {
          while (true) {
            context.send(
                Message.of(
                    Message.Type.HEADLINE,
                    Jid.of(passing.host()),
                    Jid.of("nobody@" + passing.host()),
                    null,
                    List.of()));
          }
        }
        default -> throw new AssertionError(mode);
      }
    }
  }

  /// Starts a thread that never ends.
  public static final class Leaking implements Plugin {
    @Override
    public void start(PluginContext context) {
      Thread thread = new Thread(Leaking::stay, "leaking");
      thread.setDaemon(true);
      thread.start();
    }

    private static void stay() {
      Object lock = new Object();
      synchronized (lock) {
        while (true) {
          try {
            lock.wait();
          } catch (InterruptedException e) {
            lock.notifyAll(); // stays all the same
          }
        }
      }
    }
  }

  /// Looks for what plugins must not see.
  public static final class Curious implements Plugin {
    @Override
    public void start(PluginContext context) throws Exception {
      List<String> seen = new ArrayList<>();
      ClassLoader own = Curious.class.getClassLoader();
      for (String name :
          List.of(
              "im.zonda.auth.Passwords",
              "im.zonda.store.Stores",
              "im.zonda.host.XmppServer",
              "im.zonda.operation.token.ApiTokens",
              "im.zonda.app.Main",
              "io.netty.channel.Channel",
              "im.zonda.app.plugin.SampleJar",
              "org.junit.jupiter.api.Test")) {
        try {
          seen.add(Class.forName(name, false, own).getName());
        } catch (ClassNotFoundException e) {
          context.log().debug("{} is hidden", name);
        }
      }
      if (own.getResource("events.properties") != null) {
        seen.add("a resource");
      }
      if (!Thread.currentThread().getContextClassLoader().equals(own)) {
        seen.add("a context class loader");
      }
      if (!seen.isEmpty()) {
        throw new IllegalStateException("sees " + seen);
      }
    }
  }

  /// Calls what its manifest does not ask for.
  public static final class Greedy implements Plugin {
    @Override
    public void start(PluginContext context) {
      context.store();
    }
  }

  /// Fails to start.
  public static final class Broken implements Plugin {
    @Override
    public void start(PluginContext context) throws Exception {
      throw new java.io.IOException("the service is not there");
    }
  }

  /// Declares what the server answers.
  public static final class Taking implements Plugin {
    @Override
    public void start(PluginContext context) {
      context.onRequest(new QName("urn:xmpp:ping", "ping"), (host, request) -> null);
    }
  }

  /// Uses every port.
  public static final class Everything implements Plugin {
    @Override
    public void start(PluginContext context) {
      QName echo = new QName("urn:example:echo", "echo");
      context.advertise(echo.namespace());
      context.onRequest(
          echo,
          (host, request) -> {
            Element asked = request.payload();
            if (asked == null || asked.text().isEmpty()) {
              throw new RequestException(ErrorCondition.BAD_REQUEST, "say something");
            }
            return asked;
          });
      context.onEvent(event -> {
        if (event instanceof PluginEvent.SessionStarted started) {
          context
              .store()
              .put(
                  started.session(),
                  "seen",
                  started.session().toString().getBytes(StandardCharsets.UTF_8));
          context.send(
              Message.of(
                  Message.Type.NORMAL,
                  Jid.of(started.host()),
                  started.session(),
                  null,
                  List.of(Element.builder(BODY_OF_CLIENTS).text("welcome").build())));
        }
      });
      context.counter("echoes", "Echoes").increment();
      context.gauge("size", "Size", () -> 3);
    }

    private static final QName BODY_OF_CLIENTS = new QName("jabber:client", "body");
  }
}
