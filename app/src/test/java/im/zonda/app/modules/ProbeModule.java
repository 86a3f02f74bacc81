package im.zonda.app.modules;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// Declares one of everything that can be withdrawn.
final class ProbeModule implements XmppModule {
  static final String NAMESPACE = "test:probe";

  /// Between two runs of its periodic task.
  static final Duration PERIOD = Duration.ofMinutes(1);

  final AtomicInteger runs = new AtomicInteger();
  final AtomicInteger filtered = new AtomicInteger();
  final AtomicInteger stops = new AtomicInteger();
  private final HomeKey<String> value = new HomeKey<>("probe", account -> "value of " + account);

  @Override
  public String name() {
    return "probe";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    context.addHomeState(value);
    context.addStreamFeature(() -> Element.of(NAMESPACE, "offered"));
    context.onIq(
        Iq.Type.GET,
        new QName(NAMESPACE, "query"),
        Addressee.OWN_ACCOUNT,
        request ->
            IqReply.result(
                Element.builder(NAMESPACE, "query").text(request.home().state(value)).build()));
    context.onMessage(
        HookPoint.ARRIVING,
        Phase.RECORD,
        (message, home, session) -> {
          filtered.incrementAndGet();
          return Verdict.pass();
        });
    context.every(PERIOD, PERIOD, runs::incrementAndGet);
  }

  @Override
  public void stop() {
    stops.incrementAndGet();
    throw new IllegalStateException("a module that fails to stop");
  }
}
