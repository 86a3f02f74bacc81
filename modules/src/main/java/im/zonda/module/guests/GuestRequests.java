package im.zonda.module.guests;

import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ExternalComponents.Decision;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;

/// Decides on the requests that the server answers itself: those of guests to their own address and
/// to the host, and those of others to a guest's address. Nothing is kept for a guest, so that its
/// own address answers by what is empty: the roster, and the items of service discovery.
final class GuestRequests implements ExternalComponents.Extension {
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";
  private static final QName INFO_QUERY = new QName(INFO, "query");
  private static final QName ITEMS_QUERY = new QName(ITEMS, "query");
  private static final QName ROSTER = new QName("jabber:iq:roster", "query");
  private static final QName PING = new QName("urn:xmpp:ping", "ping");

  /// XEP-0175, section 5.
  private static final Element INFO_RESULT =
      Element.builder(INFO_QUERY)
          .child(
              Element.builder(INFO, "identity")
                  .attribute("category", "account")
                  .attribute("type", "anonymous")
                  .build())
          .child(Element.builder(INFO, "feature").attribute("var", INFO).build())
          .child(Element.builder(INFO, "feature").attribute("var", ITEMS).build())
          .build();

  @Override
  public Decision decide(IqRequest request, Addressee addressee) {
    Home home = request.homeOrNull();
    if (home == null || !GuestPolicy.isGuest(home)) {
      return Decision.PASS;
    }
    return switch (addressee) {
      case OWN_ACCOUNT -> answer(request);
      case SERVER -> GuestPolicy.mayRequest(request.iq()) ? Decision.PASS : forbidden();
      case OTHER_ACCOUNT ->
          isInfo(request) ? new Decision.Answer(IqReply.result(INFO_RESULT)) : Decision.PASS;
    };
  }

  private static boolean isInfo(IqRequest request) {
    return request.iq().type() == Iq.Type.GET
        && request.payload().name().equals(INFO_QUERY)
        && request.payload().attribute("node") == null;
  }

  private static Decision answer(IqRequest request) {
    QName name = request.payload().name();
    if (request.iq().type() != Iq.Type.GET) {
      return forbidden();
    }
    if (name.equals(ROSTER)) {
      return new Decision.Answer(IqReply.result(Element.of(ROSTER)));
    }
    if (name.equals(PING)) {
      return new Decision.Answer(IqReply.empty());
    }
    if (!name.equals(INFO_QUERY) && !name.equals(ITEMS_QUERY)) {
      return forbidden();
    }
    if (request.payload().attribute("node") != null) {
      return new Decision.Answer(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND));
    }
    return new Decision.Answer(
        IqReply.result(name.equals(INFO_QUERY) ? INFO_RESULT : Element.of(ITEMS_QUERY)));
  }

  private static Decision forbidden() {
    return new Decision.Answer(IqReply.refuse(ErrorCondition.FORBIDDEN, GuestsModule.FORBIDDEN));
  }
}
