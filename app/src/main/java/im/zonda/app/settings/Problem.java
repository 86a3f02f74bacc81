package im.zonda.app.settings;

/// A mistake in the configuration.
///
/// @param place where it is
/// @param message what is wrong and what is expected
public record Problem(Place place, String message) {
  @Override
  public String toString() {
    return place + ": " + message;
  }
}
