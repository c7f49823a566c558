/**
 * Ids as they cross every border. Enters: text. Leaves: schemas. Never: an id that two people
 * could read differently: ASCII only, so that NFC and NFD twins cannot exist.
 */
import { z } from 'zod';

export const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
export const KIND_PATTERN = /^[a-z][a-z0-9_]{0,31}\.[a-z][a-z0-9_]{0,31}$/;

/** Component, response, obligation and task ids. 64 characters fit a log line and a topic name. */
export const idSchema = z.string().regex(ID_PATTERN, 'expected 1 to 64 of A-Z a-z 0-9 _ . -');

/** A catalog kind: `family.verb`. */
export const kindSchema = z.string().regex(KIND_PATTERN, 'expected family.verb in lower case');

/** Lower-case hexadecimal SHA-256. */
export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);
