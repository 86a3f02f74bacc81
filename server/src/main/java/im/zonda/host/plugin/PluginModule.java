package im.zonda.host.plugin;

import im.zonda.config.ServerConfig;
import im.zonda.hook.DeliveryListener;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.RoomListener;
import im.zonda.hook.SessionListener;
import im.zonda.hook.Verdict;
import im.zonda.host.plugin.guard.Held;
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.Declarations;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.PluginEvent;
import im.zonda.plugin.RequestException;
import im.zonda.plugin.RequestHandler;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A plugin at one host: what the plugin has declared, as a module.
final class PluginModule implements XmppModule {
  /// The presence of a session that has ended is there until a module broadcasts that it is gone.
  private static final int BEFORE_OTHERS = -1;

  private final RunningPlugin plugin;
  private final Declared declared;
  private final Jid host;

  PluginModule(RunningPlugin plugin, Declared declared, Jid host) {
    this.plugin = plugin;
    this.declared = declared;
    this.host = host;
  }

  @Override
  public String name() {
    return plugin.name();
  }

  @Override
  public void install(ModuleContext context) {
    declared.features.forEach(context::advertise);
    for (Declared.Messages each : declared.messages) {
      HookPoint point = hookPoint(each.point());
      if (point == null) {
        context.onRoomMessage(Phase.REWRITE, new FilterCalls.Rooms(plugin, host, each.filter()));
      } else {
        context.onMessage(
            point,
            Phase.REWRITE,
            new FilterCalls.Messages(plugin, host, each.point(), each.filter()));
      }
    }
    for (Declared.Presences each : declared.presences) {
      HookPoint point = hookPoint(each.point());
      if (point != null) {
        context.onPresence(
            point,
            Phase.REWRITE,
            new FilterCalls.Presences(plugin, host, each.point(), each.filter()));
      }
    }
    for (Declared.Requests each : declared.requests) {
      for (Addressee addressee : Addressee.values()) {
        for (Iq.Type type : List.of(Iq.Type.GET, Iq.Type.SET)) {
          context.onIq(type, each.payload(), addressee, asked -> answer(each.handler(), asked));
        }
      }
    }
    for (Declared.Page each : declared.pages) {
      context.onHttp(
          new HttpRoute(
              "/plugins/" + plugin.name() + "/" + each.path(),
              true,
              Set.of(each.method()),
              false,
              request -> plugin.page(each.handler(), request)));
    }
    declared.operations.forEach(context::offer);
    if (!declared.listeners.isEmpty()) {
      Observer observer = new Observer();
      context.declare(Declarations.SESSIONS, BEFORE_OTHERS, observer);
      context.onDelivery(observer);
      context.onRoom(observer);
      context.onPresence(HookPoint.SENT_BY_CLIENT, Phase.REWRITE, observer::presence);
    }
  }

  /// Null for rooms.
  private static @Nullable HookPoint hookPoint(FilterPoint point) {
    return switch (point) {
      case SENT -> HookPoint.SENT_BY_CLIENT;
      case ARRIVING -> HookPoint.ARRIVING;
      case ROOM -> null;
    };
  }

  private IqReply answer(Held<RequestHandler> handler, IqRequest asked) {
    IqReply reply =
        plugin
            .guard()
            .call(
                handler,
                "requests",
                answering -> {
                  try {
                    Element payload = answering.answer(host.domain(), asked.iq());
                    return payload == null ? IqReply.empty() : IqReply.result(payload);
                  } catch (RequestException e) {
                    return refusal(e);
                  }
                });
    return reply == null ? IqReply.refuse(ErrorCondition.INTERNAL_SERVER_ERROR) : reply;
  }

  private static IqReply refusal(RequestException e) {
    String text = e.getMessage();
    StanzaError error = StanzaError.of(e.condition());
    return new IqReply.Refuse(text == null ? error : error.withText(text));
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return true; // the plugin itself is notified once for all hosts
  }

  private Instant now() {
    return plugin.clock().instant();
  }

  /// Tells the plugin what happens to the sessions and the rooms of the host.
  private final class Observer implements SessionListener, DeliveryListener, RoomListener {
    @Override
    public void bound(Home home, Session session) {
      plugin.tell(new PluginEvent.SessionStarted(host.domain(), now(), session.jid()));
    }

    @Override
    public void ended(Home home, Session session) {
      if (session.available()) {
        Presence gone =
            Presence.of(Presence.Type.UNAVAILABLE, session.jid(), null, null, List.of());
        plugin.tell(new PluginEvent.PresenceChanged(host.domain(), now(), gone));
      }
      plugin.tell(new PluginEvent.SessionEnded(host.domain(), now(), session.jid()));
    }

    @Override
    public void sent(Home home, Message message, long id, Session session) {
      plugin.tell(new PluginEvent.MessageSent(host.domain(), now(), message));
    }

    @Override
    public void delivered(Home home, Message message, List<? extends Session> targets) {
      plugin.tell(new PluginEvent.MessageDelivered(host.domain(), now(), message, targets.size()));
    }

    @Override
    public void created(Jid room, Jid by) {
      plugin.tell(new PluginEvent.RoomCreated(host.domain(), now(), room, by));
    }

    @Override
    public void removed(Jid room) {
      plugin.tell(new PluginEvent.RoomRemoved(host.domain(), now(), room));
    }

    @Override
    public void entered(Jid occupant, Jid session) {
      plugin.tell(new PluginEvent.RoomEntered(host.domain(), now(), occupant, session));
    }

    @Override
    public void left(Jid occupant, Jid session) {
      plugin.tell(new PluginEvent.RoomLeft(host.domain(), now(), occupant, session));
    }

    @Override
    public void sent(Message message, @Nullable Jid session) {
      plugin.tell(new PluginEvent.RoomMessage(host.domain(), now(), message, session));
    }

    Verdict presence(Presence presence, Home home, @Nullable Session session) {
      if (presence.to() == null) {
        plugin.tell(new PluginEvent.PresenceChanged(host.domain(), now(), presence));
      }
      return Verdict.pass();
    }
  }
}
