/// Operations by HTTP: JSON in and out, errors as RFC 9457 says.
@NullMarked
package im.zonda.operation.rest;

import org.jspecify.annotations.NullMarked;
