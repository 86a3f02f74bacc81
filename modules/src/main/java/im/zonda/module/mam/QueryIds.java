package im.zonda.module.mam;

import im.zonda.module.IqReply;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;

/// The bound of what a query has repeated in each result of a page (XEP-0313, section 4.1.1).
final class QueryIds {
  /// Maximum number of characters of an attribute `queryid`; clients use some 40.
  static final int MAX_LENGTH = 256;

  private QueryIds() {}

  static boolean isTooLong(Element query) {
    String id = query.attribute("queryid");
    return id != null && id.length() > MAX_LENGTH;
  }

  static IqReply reject() {
    return IqReply.refuse(
        ErrorCondition.NOT_ACCEPTABLE,
        "the queryid is too long; the limit is " + MAX_LENGTH + " characters");
  }
}
