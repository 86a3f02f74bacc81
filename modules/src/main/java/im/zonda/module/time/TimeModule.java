package im.zonda.module.time;

import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/// Answers with the server's time in UTC, which does not reveal its time zone.
@Xep(number = 202, version = "2.0", title = "Entity Time")
public final class TimeModule implements XmppModule {
  private static final String NAMESPACE = "urn:xmpp:time";
  private static final QName TIME = new QName(NAMESPACE, "time");

  @Override
  public String name() {
    return "time";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    InstantSource clock = context.clock();
    context.onIq(Iq.Type.GET, TIME, Addressee.SERVER, request -> IqReply.result(now(clock)));
  }

  private static Element now(InstantSource clock) {
    return Element.builder(TIME)
        .child("tzo", "+00:00")
        .child("utc", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
        .build();
  }
}
