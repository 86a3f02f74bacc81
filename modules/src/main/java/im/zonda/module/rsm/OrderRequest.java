package im.zonda.module.rsm;

import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;

/// The order that a request wants its results in (XEP-0413). Both orders are total, so that only
/// the first one of a request decides.
///
/// @param given whether the request names an order
/// @param byCreation whether results are ordered by their creation, not by their last modification
/// @param descending whether the newest result comes first
public record OrderRequest(boolean given, boolean byCreation, boolean descending) {
  /// The namespace and feature.
  public static final String NAMESPACE = "urn:xmpp:order-by:1";

  /// By modification, the oldest first.
  public static final OrderRequest DEFAULT = new OrderRequest(false, false, false);

  private static final QName ORDER = new QName(NAMESPACE, "order");

  /// The feature that says that results of a protocol can be ordered.
  ///
  /// @param protocol the namespace of the protocol
  public static String feature(String protocol) {
    return NAMESPACE + "@" + protocol;
  }

  /// Reads the order of a request.
  ///
  /// @param request the element whose children may be orders
  /// @throws ResultSetException if an order is not known or not valid
  public static OrderRequest of(Element request) throws ResultSetException {
    OrderRequest first = null;
    for (Element child : request.children()) {
      if (child.name().equals(ORDER)) {
        OrderRequest order = read(child);
        first = first == null ? order : first;
      }
    }
    return first == null ? DEFAULT : first;
  }

  private static OrderRequest read(Element order) throws ResultSetException {
    String by = order.attribute("by");
    if (by == null) {
      throw new ResultSetException(ErrorCondition.BAD_REQUEST, "An order has no attribute by.");
    }
    boolean creation =
        switch (by) {
          case "creation" -> true;
          case "modification" -> false;
          default ->
              throw new ResultSetException(
                  ErrorCondition.FEATURE_NOT_IMPLEMENTED,
                  "Results are ordered by creation or modification only.");
        };
    String desc = order.attribute("desc");
    boolean descending =
        switch (desc == null ? "false" : desc) {
          case "true", "1" -> true;
          case "false", "0" -> false;
          default ->
              throw new ResultSetException(
                  ErrorCondition.BAD_REQUEST, "The attribute desc is neither true nor false.");
        };
    return new OrderRequest(true, creation, descending);
  }
}
