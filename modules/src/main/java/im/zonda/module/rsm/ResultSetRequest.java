package im.zonda.module.rsm;

import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// A request for a page of a result set (XEP-0059, section 2). Pages are found by the ids of items,
/// not by position, which would require counting.
///
/// @param max the maximum number of items, within the limit
/// @param after the item before the page, or null
/// @param before the item after the page, or null
/// @param backwards whether to return the last page: before `before`, or of all
public record ResultSetRequest(
    int max, @Nullable String after, @Nullable String before, boolean backwards) {
  /// The namespace.
  public static final String NAMESPACE = "http://jabber.org/protocol/rsm";

  /// The element in requests and results.
  public static final QName SET = new QName(NAMESPACE, "set");

  /// A number with more digits exceeds every limit.
  private static final int DIGITS = 18;

  /// Reads a request's `<set/>`.
  ///
  /// @param set null for the first page of `limit` items
  /// @param limit the maximum number of items per page; larger requests are reduced to it
  /// @throws ResultSetException if `max` is not a number, for a page by position, or if both
  ///   `before` and `after` are given
  public static ResultSetRequest of(@Nullable Element set, int limit) throws ResultSetException {
    if (set == null) {
      return new ResultSetRequest(limit, null, null, false);
    }
    if (set.child("index") != null) {
      throw new ResultSetException(
          ErrorCondition.FEATURE_NOT_IMPLEMENTED, "Pages by index are not supported.");
    }
    Element max = set.child("max");
    Element after = set.child("after");
    Element before = set.child("before");
    if (before != null && after != null) {
      throw new ResultSetException(
          ErrorCondition.BAD_REQUEST, "Only one of before and after is allowed.");
    }
    String first = after == null ? "" : after.text().strip();
    String last = before == null ? "" : before.text().strip();
    return new ResultSetRequest(
        max == null ? limit : number(max.text().strip(), limit),
        first.isEmpty() ? null : first,
        last.isEmpty() ? null : last,
        before != null);
  }

  /// Returns this request, for results that can only be read forwards.
  ///
  /// @throws ResultSetException if it requests a page backwards
  public ResultSetRequest forwards() throws ResultSetException {
    if (backwards) {
      throw new ResultSetException(
          ErrorCondition.FEATURE_NOT_IMPLEMENTED, "Only pages after an item are supported.");
    }
    return this;
  }

  private static int number(String text, int limit) throws ResultSetException {
    boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits) {
      throw new ResultSetException(ErrorCondition.BAD_REQUEST, "max is not a number.");
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

  /// The `<set/>` of a result that was counted, when the position of the page is not known.
  ///
  /// @param first the first item of the page; null if it is empty
  /// @param last the last one
  /// @param count how many items there are
  public static Element resultWithCount(@Nullable String first, @Nullable String last, int count) {
    Element.Builder set = Element.builder(SET);
    if (first != null && last != null) {
      set.child("first", first).child("last", last);
    }
    return set.child("count", Integer.toString(count)).build();
  }

  /// The `<set/>` of a result that was counted.
  ///
  /// @param first the first item of the page; null if it is empty
  /// @param last the last one
  /// @param index how many items are before the page
  /// @param count how many items there are
  public static Element result(
      @Nullable String first, @Nullable String last, int index, int count) {
    Element.Builder set = Element.builder(SET);
    if (first != null && last != null) {
      set.child(
              Element.builder(NAMESPACE, "first")
                  .attribute("index", Integer.toString(index))
                  .text(first)
                  .build())
          .child("last", last);
    }
    return set.child("count", Integer.toString(count)).build();
  }
}
