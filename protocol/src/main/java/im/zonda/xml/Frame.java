package im.zonda.xml;

import org.jspecify.annotations.Nullable;

/// One complete first-level element of a stream: its checked bytes and an index of its children.
///
/// Immutable, plain heap memory: it may be kept and read by any thread.
public final class Frame {
  private Frame() {}

  /// The element's name.
  public QName name() {
    throw new IllegalStateException("in progress");
  }

  /// The value of an attribute with no namespace, unescaped, or null.
  public @Nullable String attribute(String localName) {
    throw new IllegalStateException("in progress: " + localName);
  }

  /// The number of child elements.
  public int childCount() {
    throw new IllegalStateException("in progress");
  }

  /// The name of a child element.
  public QName childName(int index) {
    throw new IllegalStateException("in progress" + index);
  }

  /// A child element as a tree.
  public Element child(int index) {
    throw new IllegalStateException("in progress" + index);
  }

  /// The whole element as a tree.
  public Element toElement() {
    throw new IllegalStateException("in progress");
  }
}
