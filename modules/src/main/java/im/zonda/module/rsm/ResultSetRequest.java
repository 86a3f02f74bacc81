package im.zonda.module.rsm;

import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// Which page of a result is wanted (XEP-0059, section 2).
///
/// Pages are asked for by the identifiers of items, not by their position: a position would have to
/// be counted.
///
/// @param max the most items, within the limit
/// @param after the item before the page, or null
/// @param before the item behind the page, or null
/// @param backwards whether the page is the last one that fits: the one before `before`, or the
///   last of all
public record ResultSetRequest(
    int max, @Nullable String after, @Nullable String before, boolean backwards) {
  /// The namespace.
  public static final String NAMESPACE = "http://jabber.org/protocol/rsm";

  /// The element that is in requests and results.
  public static final QName SET = new QName(NAMESPACE, "set");

  /// Digits of a number that is surely larger than any limit.
  private static final int DIGITS = 18;

  /// Reads a request's `<set/>`.
  ///
  /// @param set null if there is none: then the first page of `limit` items is wanted
  /// @param limit the most items that are given at a time; larger wishes are cut down to it
  /// @throws ResultSetException if it has a number that is none, wants a position, or wants what is
  ///   before one item and after another
  public static ResultSetRequest of(@Nullable Element set, int limit) throws ResultSetException {
    if (set == null) {
      return new ResultSetRequest(limit, null, null, false);
    }
    if (set.child("index") != null) {
      throw new ResultSetException(
          ErrorCondition.FEATURE_NOT_IMPLEMENTED, "pages are found by identifiers");
    }
    Element max = set.child("max");
    Element after = set.child("after");
    Element before = set.child("before");
    if (before != null && after != null) {
      throw new ResultSetException(ErrorCondition.BAD_REQUEST, "either before or after");
    }
    String first = after == null ? "" : after.text().strip();
    String last = before == null ? "" : before.text().strip();
    return new ResultSetRequest(
        max == null ? limit : number(max.text().strip(), limit),
        first.isEmpty() ? null : first,
        last.isEmpty() ? null : last,
        before != null);
  }

  /// The same, for results that can be read from the front only.
  ///
  /// @throws ResultSetException if a page is wanted that has to be found from behind
  public ResultSetRequest forwards() throws ResultSetException {
    if (backwards) {
      throw new ResultSetException(
          ErrorCondition.FEATURE_NOT_IMPLEMENTED, "pages are found from the front");
    }
    return this;
  }

  private static int number(String text, int limit) throws ResultSetException {
    boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits) {
      throw new ResultSetException(ErrorCondition.BAD_REQUEST, "max is no number");
    }
    String significant = text.replaceFirst("^0+(?=.)", "");
    return significant.length() > DIGITS
        ? limit
        : (int) Math.min(limit, Long.parseLong(significant));
  }

  /// The `<set/>` of a result without a count.
  ///
  /// @param first the first item of the page; null if it is empty
  /// @param last the last one
  public static Element result(@Nullable String first, @Nullable String last) {
    Element.Builder set = Element.builder(SET);
    if (first != null && last != null) {
      set.child("first", first).child("last", last);
    }
    return set.build();
  }
}
